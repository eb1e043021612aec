import { createRequire } from 'node:module';
import type { DatabaseSyncInstance, SqliteModule, StatementSyncInstance } from '@photostructure/sqlite';

export type { DatabaseSyncInstance as Database } from '@photostructure/sqlite';

/** node:sqlite where Node has it (22.13 and later), else the package with the same API (docs/adr/0002-sqlite.md). */
function loadSqlite(): SqliteModule {
  const builtin = process.getBuiltinModule('node:sqlite') as unknown as SqliteModule | undefined;
  return builtin ?? (createRequire(import.meta.url)('@photostructure/sqlite') as SqliteModule);
}

/**
 * Opens a database file or `:memory:`. Files get WAL and `synchronous = FULL`: what was committed survives a kill and a power cut.
 * Keep the returned object reachable: statements alone do not hold it.
 * @throws when the file cannot be opened or is no database.
 */
export function openDatabase(file: string): DatabaseSyncInstance {
  const { DatabaseSync } = loadSqlite();
  const db = new DatabaseSync(file);
  db.exec('PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000;');
  if (file !== ':memory:') db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  return db;
}

/**
 * Opens an existing database file for reading; nothing that is run on it can change a file.
 * @throws when there is no such file.
 */
export function openReadOnly(file: string): DatabaseSyncInstance {
  const { DatabaseSync } = loadSqlite();
  const db = new DatabaseSync(file, { readOnly: true });
  db.exec('PRAGMA busy_timeout = 5000; PRAGMA query_only = ON;');
  return db;
}

/**
 * Opens a small database that serves as a lock between processes (process-lock.ts). The connection has the lock, over its commits too, until
 * it is closed. Undefined when another connection has it; never waits.
 */
export function openAsLock(file: string): DatabaseSyncInstance | undefined {
  const { DatabaseSync } = loadSqlite();
  const db = new DatabaseSync(file);
  try {
    db.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL;');
    db.exec('BEGIN EXCLUSIVE; COMMIT;');
    return db;
  } catch (error) {
    db.close();
    if (/locked|busy/i.test((error as Error).message)) return undefined;
    throw error;
  }
}

/**
 * Ends a lock taken by `openAsLock`. Closing alone would not: on Node 20 a connection whose statements are not collected yet stays open below,
 * with its lock.
 */
export function closeLock(db: DatabaseSyncInstance): void {
  // The lock of an exclusive connection goes at its first access in the normal mode.
  db.exec('PRAGMA locking_mode = NORMAL; BEGIN; SELECT count(*) FROM sqlite_schema; COMMIT;');
  db.close();
}

/** What is wrong with a database file; undefined when it is whole. Changes nothing. */
export function checkIntegrity(file: string): string | undefined {
  const { DatabaseSync } = loadSqlite();
  try {
    const db = new DatabaseSync(file, { readOnly: true });
    try {
      const rows = db.prepare('PRAGMA integrity_check(5)').all() as { readonly integrity_check: string }[];
      const problems = rows.map((row) => row.integrity_check).filter((text) => text !== 'ok');
      return problems.length === 0 ? undefined : problems.join('; ');
    } finally {
      db.close();
    }
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * Rows one at a time, however many. The statement stays reachable until the last row: on Node 20 the iterator of a statement that was collected
 * ends with "iterator was invalidated".
 */
export function* iterateRows<T>(
  db: DatabaseSyncInstance,
  sql: string,
  values: readonly (string | number | null)[] = [],
  options: { readonly bigInts?: boolean } = {},
): Generator<T, void, undefined> {
  const statement = db.prepare(sql);
  statement.setReadBigInts(options.bigInts ?? false);
  try {
    yield* statement.iterate(...values) as Iterable<T>;
  } finally {
    // A use after the last row is what keeps the statement from being collected.
    statement.setReadBigInts(false);
  }
}

/** Names of the columns of a statement's rows, also where there is no row; none before Node 22.16, which cannot say. */
export function columnNames(db: DatabaseSyncInstance, sql: string): readonly string[] {
  const statement: Partial<Pick<StatementSyncInstance, 'columns'>> = db.prepare(sql);
  return statement.columns?.().map(({ name }) => name) ?? [];
}

/** Runs `work` in one `BEGIN IMMEDIATE` transaction; rolls back when it throws. */
export function transaction<T>(db: DatabaseSyncInstance, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}
