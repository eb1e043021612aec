import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { DatabaseSyncInstance, SqliteModule, StatementSyncInstance } from '@photostructure/sqlite';
import { DatabaseError, named, naming, troubleOf } from './database-error.ts';
import { makeFolder } from './make-folder.ts';
import { requireOwnFile } from './ownership.ts';

export type { DatabaseSyncInstance as Database } from '@photostructure/sqlite';

/** node:sqlite where Node has it (22.13 and later), else the package with the same API (docs/adr/0002-sqlite.md). */
function loadSqlite(): SqliteModule {
  const builtin = process.getBuiltinModule('node:sqlite') as unknown as SqliteModule | undefined;
  return builtin ?? (createRequire(import.meta.url)('@photostructure/sqlite') as SqliteModule);
}

/**
 * Opens a database file or `:memory:`. Files get WAL and `synchronous = FULL`: what was committed survives a kill and a power cut.
 * Keep the returned object reachable: statements alone do not hold it.
 * @throws {DatabaseError} when the file cannot be opened or is no database; also later, by what is run on it.
 */
export function openDatabase(file: string): DatabaseSyncInstance {
  const { DatabaseSync } = loadSqlite();
  const db = naming(file, () => new DatabaseSync(file));
  if (file !== ':memory:') nameFailures(db, file);
  return closedOnFailure(db, () => {
    db.exec('PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000;');
    if (file !== ':memory:') db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  });
}

/** Makes a database ready that was just opened. One that cannot be used does not stay open. */
export function closedOnFailure(db: DatabaseSyncInstance, prepare: () => void): DatabaseSyncInstance {
  try {
    prepare();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Opens a database in one of ucctl's own folders; a missing file is created for its owner alone (0600 in a folder of 0700).
 * @throws {DatabaseError} as `openDatabase`. @throws {UnsafePathError} other users can change the file or its folder, or it is a link.
 */
export function openOwnDatabase(file: string): DatabaseSyncInstance {
  requireOwnFile(file);
  return openPrivateDatabase(file);
}

/** Like `openOwnDatabase`, for a file that the user may have put anywhere, also for a team: links and other owners are accepted. @throws {DatabaseError} */
export function openPrivateDatabase(file: string): DatabaseSyncInstance {
  naming(file, () => createPrivate(file));
  return openDatabase(file);
}

/**
 * Makes an empty file of mode 0600 (in a folder of 0700) where there is none. The mode is given at creation, so that it is never open to others
 * for a moment. An existing file must not be opened here: closing it would drop the locks that this process may hold on it (POSIX record locks).
 */
export function createPrivate(file: string): void {
  makeFolder(dirname(file), 0o700);
  try {
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** The version of the tables (`PRAGMA user_version`); 0 in a new file. @throws {DatabaseError} for one above `known`. */
export function versionOf(db: DatabaseSyncInstance, file: string, known: number): number {
  const { user_version: found } = db.prepare('PRAGMA user_version').get() as { user_version: number };
  if (found > known)
    throw new DatabaseError(file, 'newer', new RangeError(`version ${found}, known ${known}`));
  return found;
}

/** A statement that would change what was opened for reading (SQLITE_READONLY): a fault of the statement. */
function isWriting(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // On Node 20 reading says no more than the words.
  return 'errcode' in error ? error.errcode === 8 : error.message === 'attempt to write a readonly database';
}

/**
 * From now on whatever fails for the file's sake says which file it is: SQLite itself does not.
 * @param isOther tells failures that are to stay as they are
 */
function nameFailures(
  db: DatabaseSyncInstance,
  file: string,
  isOther: (error: unknown) => boolean = () => false,
): void {
  const tell = (error: unknown): unknown => (isOther(error) ? error : named(error, file));
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw tell(error);
    }
  };
  const [exec, prepare] = [db.exec.bind(db), db.prepare.bind(db)];
  replace(db, 'exec', (sql) => attempt(() => exec(sql)));
  replace(db, 'prepare', (...args) => {
    const statement = attempt(() => prepare(...args));
    const run = statement.run.bind(statement);
    const get = statement.get.bind(statement);
    const all = statement.all.bind(statement);
    const iterate = statement.iterate.bind(statement);
    replace(statement, 'run', (...values) => attempt(() => run(...values)));
    replace(statement, 'get', (...values) => attempt(() => get(...values) as never));
    replace(statement, 'all', (...values) => attempt(() => all(...values) as never));
    replace(statement, 'iterate', (...values) => tellingRows(iterate(...values), tell) as never);
    return statement;
  });
}

/** The methods of native classes cannot be assigned to. */
function replace<T extends object, K extends keyof T>(target: T, name: K, value: T[K]): void {
  Object.defineProperty(target, name, { value, configurable: true });
}

function* tellingRows(
  rows: Iterable<unknown>,
  tell: (error: unknown) => unknown,
): Generator<unknown, void, undefined> {
  try {
    yield* rows;
  } catch (error) {
    throw tell(error);
  }
}

/**
 * Opens an existing database file for reading; nothing that is run on it can change a file.
 * @throws {DatabaseError} when there is no such file; also later, by what is run on it.
 */
export function openReadOnly(file: string): DatabaseSyncInstance {
  const { DatabaseSync } = loadSqlite();
  const db = naming(file, () => new DatabaseSync(file, { readOnly: true }));
  nameFailures(db, file, isWriting);
  return closedOnFailure(db, () => db.exec('PRAGMA busy_timeout = 5000; PRAGMA query_only = ON;'));
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
  } catch (error) {
    db.close();
    if (troubleOf(error) === 'busy') return undefined;
    throw error;
  }
  nameFailures(db, file);
  return db;
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

/** After a failure. A full disk, or one that fails, may have rolled back already. */
export function rollBack(db: DatabaseSyncInstance): void {
  try {
    db.exec('ROLLBACK');
  } catch {
    // The failure before says more.
  }
}

/** Runs `work` in one `BEGIN IMMEDIATE` transaction; rolls back when it throws. */
export function transaction<T>(db: DatabaseSyncInstance, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(db);
    throw error;
  }
}
