import { type Hint, nextStep, ucctl } from '../errors/hint.ts';
import { counted } from '../platform/counted.ts';
import type { Postgres } from '../platform/postgres/postgres.ts';
import { appliedMigrations, requireSchema, requireUnchanged } from './manage.ts';
import { migrations } from './migrations.ts';
import { missingObjects } from './objects.ts';
import { isFromOtherCluster, readablePositions } from './restored.ts';
import { storeTime } from '../platform/postgres/store-time.ts';

/** The result of one check of the store. */
export interface StoreFinding {
  readonly check: string;
  readonly result: 'ok' | 'warn' | 'fail';
  readonly found: string;
  readonly todo?: Hint | undefined;
}

/**
 * Difference of the clocks in milliseconds that is reported. A difference causes no fault, because the store uses only
 * the server's clock.
 */
const largeSkew = 60_000;
/** Seconds after which readers must see a change or an event. */
const longDelaySeconds = 60;

/**
 * Runs all checks of the store. Omits a check that cannot run because an earlier check failed.
 * @param now the clock of this machine
 * @param failed converts an error of the store to a finding
 */
export async function checkStore(
  db: Postgres,
  now: () => number,
  failed: (check: string, error: unknown) => StoreFinding,
): Promise<readonly StoreFinding[]> {
  const findings: StoreFinding[] = [];
  const steps: readonly (readonly [string, () => Promise<StoreFinding>])[] = [
    ['connection', () => connection(db)],
    ['schema', () => schema(db)],
    ['tables', () => tables(db)],
    ['functions', () => functions(db)],
    ['rights', () => rights(db)],
    ['clock', () => clock(db, now)],
    ['transaction ids', () => transactionIds(db)],
    ['delays', () => delays(db)],
  ];
  for (const [check, run] of steps) {
    const finding = await run().catch((error: unknown) => failed(check, error));
    findings.push(finding);
    if (finding.result === 'fail' && ['connection', 'schema'].includes(check)) break;
  }
  return findings;
}

async function connection(db: Postgres): Promise<StoreFinding> {
  const { version, usesTls } = await db.check();
  const { place, tlsMode } = db.settings;
  const found = `${place}, PostgreSQL ${version}, ${usesTls ? `TLS (${tlsMode})` : 'without TLS'}`;
  return { check: 'connection', result: 'ok', found };
}

async function schema(db: Postgres): Promise<StoreFinding> {
  const found = await requireSchema(db);
  const newest = migrations.at(-1)?.number ?? 0;
  const applied = await appliedMigrations(db);
  requireUnchanged(db, applied);
  const text = `version ${found} of ${newest}, migrated ${applied.at(-1)?.appliedAt.toISOString() ?? ''}`;
  if (found === newest) return { check: 'schema', result: 'ok', found: text };
  return { check: 'schema', result: 'warn', found: text, todo: ucctl('store migrate') };
}

async function tables(db: Postgres): Promise<StoreFinding> {
  const applied = await appliedMigrations(db);
  const known = migrations.filter(({ number }) => applied.some((one) => one.number === number));
  const missing = await missingObjects(db, db.settings.schema, known);
  if (missing.length === 0)
    return {
      check: 'tables',
      result: 'ok',
      found: 'all tables, columns, keys, views, functions and indexes exist',
    };
  const onlyViews = missing.every((name) => name.startsWith('view '));
  const todo = onlyViews
    ? ucctl('store migrate')
    : nextStep`restore the database from a backup; ${ucctl('store migrate')} restores views only`;
  return { check: 'tables', result: 'fail', found: `missing: ${missing.join(', ')}`, todo };
}

/** Checks that functions that run as the owner search the temporary tables of their caller last. */
async function functions(db: Postgres): Promise<StoreFinding> {
  const check = 'functions';
  const unsafe = await db.query<{ name: string; repair: string }>(
    `with function as (
       select format('%I.%I', $1::text, proname) as name, pg_get_function_identity_arguments(oid) as arguments,
         quote_ident($1) || ', pg_temp' as path, proconfig
       from pg_proc where pronamespace = to_regnamespace(quote_ident($1)) and prosecdef)
     select name, format('alter function %s(%s) set search_path = %s', name, arguments, path) as repair
     from function where 'search_path=' || path <> all (coalesce(proconfig, '{}')) order by name`,
    [db.settings.schema],
  );
  const [first] = unsafe;
  if (first === undefined)
    return { check, result: 'ok', found: 'functions that run as the owner search temporary tables last' };
  const names = unsafe.map(({ name }) => name).join(', ');
  return {
    check,
    result: 'fail',
    found: `users of the reader role can run statements as the owner of ${names}`,
    todo: `run "${first.repair}" as the owner of the store`,
  };
}

async function rights(db: Postgres): Promise<StoreFinding> {
  const [row] = await db.query<{ name: string; writes: boolean; makesTables: boolean }>(
    `select current_user as name, has_database_privilege(current_database(), 'temporary') as "makesTables",
      coalesce(bool_and(has_table_privilege(c.oid, 'insert, update, delete') or relname in ('store_migration', 'store_setting')), false) as writes
     from pg_class c where relnamespace = to_regnamespace($1) and relkind in ('r', 'p')`,
    [db.settings.schema],
  );
  const name = row?.name ?? '';
  if (row?.writes && !row.makesTables)
    return {
      check: 'rights',
      result: 'fail',
      found: `user ${name} may not create temporary tables, which syncs use`,
      todo: `run "grant temporary on database ${db.settings.database} to ${name}" as the owner of the database`,
    };
  if (row?.writes) return { check: 'rights', result: 'ok', found: `user ${name} may read and write` };
  const found = `user ${name} may only read`;
  return {
    check: 'rights',
    result: 'warn',
    found,
    todo: 'to use the store from this machine, grant the writer role to the user',
  };
}

async function clock(db: Postgres, now: () => number): Promise<StoreFinding> {
  const before = now();
  const at = await storeTime(db);
  const skew = Math.round(at - (before + now()) / 2);
  const seconds = Math.abs(Math.round(skew / 1000));
  if (Math.abs(skew) <= largeSkew)
    return { check: 'clock', result: 'ok', found: `differs by ${seconds} s from the server` };
  const found = `the clock of this machine is ${seconds} s ${skew > 0 ? 'behind' : 'ahead of'} the clock of the server`;
  return {
    check: 'clock',
    result: 'warn',
    found,
    todo: 'set the clock of this machine; the store uses only the clock of the server',
  };
}

async function transactionIds(db: Postgres): Promise<StoreFinding> {
  const check = 'transaction ids';
  if (!(await isFromOtherCluster(db, await readablePositions(db))))
    return { check, result: 'ok', found: 'from this database cluster' };
  const todo = nextStep`renumber the change feed: ${ucctl('store migrate')}`;
  return {
    check,
    result: 'fail',
    found: 'from another database cluster, because the store was restored from a dump',
    todo,
  };
}

/** The rows that readers see only when all older transactions have ended, with the time at which they were stored. */
const orderedRows = [
  { table: 'message_change', at: 'at', one: 'change' },
  { table: 'event', at: 'received_at', one: 'event' },
] as const;

/**
 * Finds changes and events that readers do not see because a transaction is open. Any transaction of the database cluster
 * with an ID can cause this, and `pg_stat_activity` hides the transactions of other users. IDs above those of the
 * snapshot come from another cluster; `transactionIds` reports them.
 */
async function delays(db: Postgres): Promise<StoreFinding> {
  const check = 'delays';
  const readable = await readablePositions(db);
  const found: { readonly text: string; readonly oldest: number }[] = [];
  for (const { table, at, one } of orderedRows.filter((rows) => readable.includes(rows.table))) {
    const [row] = await db.query<{ count: number; oldest: number }>(
      `select count(*)::int as count, coalesce(extract(epoch from store_now() - min(${at})), 0)::int as oldest from ${table}
       where tx >= pg_snapshot_xmin(pg_current_snapshot()) and tx < pg_snapshot_xmax(pg_current_snapshot())
         and ${at} < store_now() - make_interval(secs => $1)`,
      [longDelaySeconds],
    );
    if (row && row.count > 0) found.push({ text: counted(row.count, one), oldest: row.oldest });
  }
  if (found.length === 0) return { check, result: 'ok', found: 'readers see all changes and events' };
  const oldest = Math.max(...found.map((one) => one.oldest));
  return {
    check,
    result: 'warn',
    found: `hidden from readers: ${found.map(({ text }) => text).join(' and ')}, the oldest for ${oldest} s`,
    todo: 'end the long transactions of the database server; a superuser finds them in pg_stat_activity (backend_xid is set)',
  };
}
