import { createHash } from 'node:crypto';
import { CommandError, Exit, messageOf } from '../errors/command.ts';
import { ucctl } from '../errors/hint.ts';
import { NewerStoreError } from '../errors/newer-store.ts';
import type { Postgres, Queries, Transaction } from '../platform/postgres/postgres.ts';
import { StoreError } from '../platform/store-error.ts';
import { grantRoles, quoted, type StoreRoles } from './grants.ts';
import { missingObjects, objectsOf } from './objects.ts';
import { migrations as allMigrations, newestMigration } from './migrations.ts';
import type { Migration } from './migration.ts';
import { adoptTransactions } from './restored.ts';

/** A step that the store has. */
export interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
  readonly appliedAt: Date;
}

/** Result of an initialization or migration. */
export interface MigrationResult {
  readonly from: number;
  readonly to: number;
  readonly applied: readonly Migration[];
  /** Whether the store came from another cluster, and its rows were numbered again. */
  readonly renumbered: boolean;
  /** Views that somebody dropped, and that exist again. */
  readonly restored: readonly string[];
}

/** A step may create an index on a table with millions of rows. */
const stepMilliseconds = 6 * 3_600_000;

const bookkeeping = `
create table if not exists store_migration (number int primary key, name text not null, checksum text not null, applied_at timestamptz not null default now());
create table if not exists store_setting (name text primary key, value text not null);`;

/** Returns the checksum of a step, as stored in `store_migration`. */
function checksumOf({ sql }: Migration): string {
  return createHash('sha256').update(sql.replaceAll(/\s+/g, ' ').trim()).digest('hex').slice(0, 16);
}

/** Whether the schema of the store exists and has been initialized. @throws {StoreError} also without USAGE on the schema. */
async function isInitialized(db: Queries, schema: string): Promise<boolean> {
  const [row] = await db.query<{ isFound: boolean }>('select to_regclass($1) is not null as "isFound"', [
    `${quoted(schema)}.store_migration`,
  ]);
  return row?.isFound ?? false;
}

/** @throws {CommandError} `store_not_initialized` (exit 12). @throws {StoreError} */
export async function requireInitialized(db: Postgres): Promise<void> {
  if (!(await isInitialized(db, db.settings.schema))) throw notInitialized(db);
}

/** Returns the steps that the store has, in order. @throws {StoreError} */
export async function appliedMigrations(db: Queries): Promise<readonly AppliedMigration[]> {
  return db.query<AppliedMigration & Record<string, unknown>>(
    'select number, name, checksum, applied_at as "appliedAt" from store_migration order by number',
  );
}

/**
 * Creates the schema of the store with all steps, and grants privileges to the roles.
 * @throws {CommandError} `store_exists` (exit 11). @throws {StoreError}
 */
export async function initializeStore(
  db: Postgres,
  roles: StoreRoles,
  steps: readonly Migration[] = allMigrations,
): Promise<MigrationResult> {
  await db.check();
  const { schema, place } = db.settings;
  const hint = 'connect as a user with the privilege CREATE on the database';
  return withPrivileges(db, hint, () =>
    db.transaction(async (transaction) => {
      await lockSchema(transaction, schema);
      if (await isInitialized(transaction, schema)) {
        throw new CommandError('store_exists', Exit.conflict, `the store ${place} is already initialized`, {
          hint: ucctl('store status'),
        });
      }
      await transaction.script(`create schema if not exists "${schema}"; ${bookkeeping}`);
      for (const step of steps) await apply(transaction, step);
      for (const [name, value] of Object.entries(roles) as readonly (readonly [string, string | undefined])[])
        if (value !== undefined)
          await transaction.run('insert into store_setting (name, value) values ($1, $2)', [name, value]);
      await grantRoles(transaction, schema, roles, { steps, canChoose: true });
      return { from: 0, to: newestMigration(steps), applied: steps, renumbered: false, restored: [] };
    }),
  );
}

/**
 * Applies the steps that the store lacks, each in one transaction under a lock, so that several machines may
 * start it at the same time. Repairs the transaction numbers after a restore into another cluster.
 * @throws {CommandError} `store_not_initialized`, `store_newer`, `store_changed` (exit 12). @throws
 * {StoreError}
 */
export async function migrateStore(
  db: Postgres,
  steps: readonly Migration[] = allMigrations,
): Promise<MigrationResult> {
  await db.check();
  await requireInitialized(db);
  const hint = 'connect as the owner of the store, who ran ucctl store init';
  return withPrivileges(db, hint, () => migrateInitialized(db, steps));
}

async function migrateInitialized(db: Postgres, steps: readonly Migration[]): Promise<MigrationResult> {
  const { schema } = db.settings;
  const from = newestOf(await appliedMigrations(db));
  const applied: Migration[] = [];
  for (const step of steps) {
    const isNew = await db.transaction(async (transaction) => {
      await transaction.limit(stepMilliseconds);
      await lockSchema(transaction, schema);
      const known = await appliedMigrations(transaction);
      requireNotNewer(db, newestOf(known), newestMigration(steps));
      requireUnchanged(db, known, steps);
      if (known.some(({ number }) => number === step.number)) return false;
      await apply(transaction, step);
      return true;
    });
    if (isNew) applied.push(step);
  }
  const repaired = await db.transaction(async (transaction) => {
    await transaction.limit(stepMilliseconds);
    await lockSchema(transaction, schema);
    const restored = await restoreViews(transaction, schema, steps);
    await grantRoles(transaction, schema, await rolesOf(transaction), { steps, canChoose: false });
    const renumbered = await adoptTransactions(transaction);
    return { renumbered, restored };
  });
  return { from, to: newestOf(await appliedMigrations(db)), applied, ...repaired };
}

/**
 * Checks that this program knows the newest step of the store, and that the store lacks at most the newest step of this
 * program.
 * @returns the number of the newest step of the store.
 * @throws {CommandError} `store_not_initialized`, `store_newer` or `store_older` (exit 12). @throws {StoreError}
 */
export async function requireSchema(
  db: Postgres,
  steps: readonly Migration[] = allMigrations,
): Promise<number> {
  const newest = newestMigration(steps);
  const found = await foundSchema(db);
  if (found === undefined) throw notInitialized(db);
  requireNotNewer(db, found, newest);
  if (found < newest - 1) throw olderStore(db, found, `this version of ucctl needs ${newest - 1}`);
  return found;
}

/**
 * Checks that the store has a step, for an option that has no lasting effect without it.
 * @param what the option, such as `--on-delete purge`
 * @throws {CommandError} `store_older` (exit 12). @throws {StoreError}
 */
export async function requireStep(db: Postgres, { number }: Migration, what: string): Promise<void> {
  const found = newestOf(await appliedMigrations(db));
  if (found < number) throw olderStore(db, found, `${what} needs ${number}`);
}

function olderStore({ settings }: Postgres, found: number, needed: string): CommandError {
  const message = `the store ${settings.place} has schema version ${found}, but ${needed}`;
  return new CommandError('store_older', Exit.local, message, { hint: ucctl('store migrate') });
}

/**
 * Checks, in a process that runs for a long time, that no newer version has migrated the store meanwhile.
 * @param queries runs the statement, such as the transaction that writes afterwards
 * @throws {NewerStoreError} @throws {StoreError}
 */
export async function requireKnownSchema(db: Postgres, queries: Queries = db): Promise<void> {
  const [row] = await queries.query<{ found: number }>('select max(number) as found from store_migration');
  requireNotNewer(db, row?.found ?? 0, newestMigration());
}

async function foundSchema(db: Postgres): Promise<number | undefined> {
  try {
    return newestOf(await appliedMigrations(db));
  } catch (error) {
    if (!(error instanceof StoreError) || error.problem !== 'incomplete') throw error;
    // Without USAGE on the schema, PostgreSQL finds no table, and reports the privilege only if the schema is named.
    if (await isInitialized(db, db.settings.schema)) throw error;
    return undefined;
  }
}

/** Runs work that changes the schema. If the user lacks a privilege, the error has this next step. */
async function withPrivileges<T>(db: Postgres, hint: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreError) || error.problem !== 'permission') throw error;
    const { cause, sqlState } = error;
    throw new StoreError('permission', db.settings.place, {
      report: messageOf(cause),
      hint,
      sqlState,
      cause,
    });
  }
}

/** Returns the roles that have privileges in the store. @throws {StoreError} */
export async function rolesOf(db: Queries): Promise<StoreRoles> {
  const rows = await db.query<{ name: string; value: string }>(
    "select name, value from store_setting where name in ('writer', 'reader')",
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

function newestOf(applied: readonly AppliedMigration[]): number {
  return applied.at(-1)?.number ?? 0;
}

function notInitialized({ settings }: Postgres): CommandError {
  const what = `the store ${settings.place} is not initialized: schema "${settings.schema}" not found`;
  return new CommandError('store_not_initialized', Exit.local, what, { hint: ucctl('store init') });
}

function requireNotNewer({ settings }: Postgres, found: number, newest: number): void {
  if (found > newest) throw new NewerStoreError(settings.place, found, newest);
}

/**
 * Checks that the steps of a store are those of this program. A different checksum means that the program was changed, not the
 * database.
 * @throws {CommandError} `store_changed` (exit 12).
 */
export function requireUnchanged(
  { settings }: Postgres,
  known: readonly AppliedMigration[],
  steps: readonly Migration[] = allMigrations,
): void {
  for (const { number, checksum } of known) {
    const step = steps.find((one) => one.number === number);
    if (!step || checksumOf(step) === checksum) continue;
    const what = `step ${number} of the store ${settings.place} differs from the same step of this version of ucctl`;
    throw new CommandError('store_changed', Exit.local, what, {
      hint: 'use the released version of ucctl that created the store',
    });
  }
}

/** Waits until no other process changes the schema. The lock ends with the transaction. */
async function lockSchema(transaction: Transaction, schema: string): Promise<void> {
  await transaction.run("select pg_advisory_xact_lock(hashtextextended('ucctl migrate ' || $1, 0))", [
    schema,
  ]);
}

/** Creates or replaces views. A view that is replaced is locked until the end of the transaction. */
async function createViews(transaction: Transaction, views: NonNullable<Migration['views']>): Promise<void> {
  for (const [name, query] of Object.entries(views))
    await transaction.script(`create or replace view ${quoted(name)} as ${query}`);
}

/** Creates the views that somebody dropped. @returns their names, such as `view v_message`. */
async function restoreViews(
  transaction: Transaction,
  schema: string,
  steps: readonly Migration[],
): Promise<readonly string[]> {
  const missing = new Set(await missingObjects(transaction, schema, steps));
  const dropped = Object.entries(objectsOf(steps).views).filter(([name]) => missing.has(`view ${name}`));
  await createViews(transaction, Object.fromEntries(dropped));
  return dropped.map(([name]) => `view ${name}`);
}

async function apply(transaction: Transaction, step: Migration): Promise<void> {
  await transaction.script(step.sql);
  await createViews(transaction, step.views ?? {});
  await transaction.run('insert into store_migration (number, name, checksum) values ($1, $2, $3)', [
    step.number,
    step.name,
    checksumOf(step),
  ]);
}
