import type { Postgres } from '../../src/store/index.ts';

/** Whether a store uses the clock of PostgreSQL, or one that the test sets. */
export type StoreKind = 'plain' | 'clock';

/** An initialized store, and what it contained before its first use. */
export interface IdleStore {
  readonly kind: StoreKind;
  readonly schema: string;
  /** Changes with every definition in the schema (`definitionsOf`). */
  readonly definitions: string;
  readonly tables: readonly string[];
  /** The rows of the initialization by table, as JSON. */
  readonly rows: readonly Rows[];
}

interface Rows {
  readonly table: string;
  readonly json: string;
}

/** A store with more data is removed, because deleted rows remain in its files. */
const mostBytes = 4_000_000;

/**
 * Stores of this worker that tests have used and emptied. To initialize and remove a store takes ten times the
 * processor time.
 */
const idle: Record<StoreKind, IdleStore[]> = { plain: [], clock: [] };

/**
 * A store as it was after its initialization, under a new name: what an earlier test left running cannot change it.
 * @returns undefined if none is idle.
 */
export async function takeIdle(
  db: Postgres,
  kind: StoreKind,
  schema: string,
): Promise<IdleStore | undefined> {
  const store = idle[kind].pop();
  if (store === undefined) return undefined;
  // Functions with settings name the schema.
  await db.script(`alter schema "${store.schema}" rename to "${schema}";
    do $$ declare named regprocedure; path text; begin
      for named, path in select objid, replace(substr(proconfig[1], length('search_path=') + 1), '${store.schema}', '${schema}') from pg_depend join pg_proc on pg_proc.oid = objid
        where refclassid = 'pg_namespace'::regclass and refobjid = '"${schema}"'::regnamespace
          and classid = 'pg_proc'::regclass and proconfig is not null
      loop execute format('alter function %s set search_path to %s', named, path); end loop;
    end $$`);
  return { ...store, schema, definitions: (await definitionsOf(db, schema)).definitions };
}

/** Notes the state of a store that was just initialized. */
export async function noteInitialized(db: Postgres, kind: StoreKind, schema: string): Promise<IdleStore> {
  const { definitions } = await definitionsOf(db, schema);
  const tables = await tablesOf(db, schema);
  const rows: Rows[] = [];
  for (const table of tables) {
    const [found] = await db.query<{ json: string | null }>(
      `select json_agg(row)::text as json from "${schema}"."${table}" as row`,
    );
    if (typeof found?.json === 'string') rows.push({ table, json: found.json });
  }
  return { kind, schema, definitions, tables, rows };
}

/**
 * Gives a store back as it was after its initialization.
 * @returns false if this is not possible, because definitions changed or the store has much data.
 */
export async function giveBack(db: Postgres, store: IdleStore): Promise<boolean> {
  const { schema } = store;
  const { definitions, bytes } = await definitionsOf(db, schema);
  if (definitions !== store.definitions || bytes > mostBytes) return false;
  const deletes = store.tables.map((table) => `delete from "${schema}"."${table}"`);
  const rows = store.rows.map(
    ({ table, json }) =>
      `insert into "${schema}"."${table}" overriding system value select * from json_populate_recordset(null::"${schema}"."${table}", ${literal(json)})`,
  );
  await db.transaction(async (transaction) => {
    // Neither foreign keys nor triggers apply, and sequences begin again.
    const statements = [
      'set local session_replication_role = replica',
      ...deletes,
      ...rows,
      `select setval(c.oid::regclass, seqstart, false) from pg_sequence join pg_class as c on c.oid = seqrelid where relnamespace = '"${schema}"'::regnamespace`,
    ];
    await transaction.script(statements.join(';\n'));
  });
  idle[store.kind].push(store);
  return true;
}

async function tablesOf(db: Postgres, schema: string): Promise<readonly string[]> {
  const rows = await db.query<{ name: string }>(
    'select tablename as name from pg_tables where schemaname = $1 order by 1',
    [schema],
  );
  return rows.map(({ name }) => name);
}

/**
 * The numbers of the catalog rows of a schema, and the sums of the transactions that stored them. Each statement that
 * defines, changes, grants or removes something stores a new version of such a row, and so does TRUNCATE. All rows are
 * found by an index, because the catalogs contain the definitions of all stores.
 */
async function definitionsOf(
  db: Postgres,
  schema: string,
): Promise<{ readonly definitions: string; readonly bytes: number }> {
  const ofRelations = [
    'pg_attribute.attrelid',
    'pg_attrdef.adrelid',
    'pg_index.indrelid',
    'pg_rewrite.ev_class',
    'pg_trigger.tgrelid',
    'pg_policy.polrelid',
    'pg_constraint.conrelid',
  ].map((column) => versionsOf(column, 'select oid from relation'));
  const [found] = await db.query<{ definitions: string | null; bytes: number }>(
    `with namespace as (select oid, nspowner || ' ' || coalesce(nspacl::text, '') as rights from pg_namespace where nspname = $1),
      object as materialized (
        select classid, objid from pg_depend
        where refclassid = 'pg_namespace'::regclass and refobjid = (select oid from namespace)
      ),
      relation as materialized (
        select objid as oid from object where classid = 'pg_class'::regclass
        union all select indexrelid from pg_index where indrelid = any (array(select objid from object where classid = 'pg_class'::regclass))
      )
    select concat_ws(',', oid, rights, ${[
      versionsOf('pg_class.oid', 'select oid from relation'),
      versionsOf('pg_type.oid', "select objid from object where classid = 'pg_type'::regclass"),
      versionsOf('pg_proc.oid', "select objid from object where classid = 'pg_proc'::regclass"),
      ...ofRelations,
    ].join(', ')}) as definitions,
      (select coalesce(sum(pg_relation_size(pg_class.oid)), 0)::int8 from relation join pg_class using (oid) where relkind = 'r') as bytes
    from namespace`,
    [schema],
  );
  return { definitions: found?.definitions ?? 'no schema', bytes: found?.bytes ?? 0 };
}

/** An expression for the versions of the rows of a catalog whose column has one of the values of a query. */
function versionsOf(column: string, values: string): string {
  const [catalog] = column.split('.');
  return `(select count(*) || ' ' || coalesce(sum(xmin::text::int8), 0) from ${catalog} where ${column} = any (array(${values})))`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
