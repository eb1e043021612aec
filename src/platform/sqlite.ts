import { dirname } from 'node:path';
import { DatabaseError, naming } from './database-error.ts';
import { makeFolder } from './make-folder.ts';
import { createDatabase, requireContent } from './new-database.ts';
import { requireOwn, requireOwnFile } from './ownership.ts';
import { closedOnFailure, loadSqlite, type Database, type Statement } from './sqlite/connection.ts';
import { nameFailures } from './sqlite/name-failures.ts';

export type { Database } from './sqlite/connection.ts';

/**
 * Opens a database file or `:memory:`. Files get WAL and `synchronous = FULL`, so that commits survive kill -9 and a
 * power failure. The caller must keep a reference to the returned object, because statements alone do not keep the
 * database open.
 * @throws {DatabaseError} if the file cannot be opened or is not a database. Statements on the database may throw it,
 * too.
 */
export function openDatabase(file: string): Database {
  const { DatabaseSync } = loadSqlite(file);
  const db = naming(file, () => new DatabaseSync(file));
  if (file !== ':memory:') nameFailures(db, file);
  return closedOnFailure(db, () => {
    db.exec('PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000;');
    if (file !== ':memory:') db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  });
}

/** Sizes of the pages of a new database, in bytes. An existing database keeps its size. */
export type PageBytes = 4096 | 8192;

/**
 * Opens a database in one of ucctl's own folders; a missing file is created for its owner alone (0600 in a folder of
 * 0700).
 * @throws {DatabaseError} as `openDatabase`. @throws {UnsafePathError} other users can change the file or its folder,
 * or it is a link.
 */
export function openOwnDatabase(file: string, pageBytes?: PageBytes): Database {
  requireOwnFile(file);
  // The files that SQLite creates next to the database.
  for (const suffix of ['-wal', '-shm', '-journal']) requireOwn(file + suffix);
  return openPrivateDatabase(file, pageBytes);
}

/**
 * Like `openOwnDatabase`, for a path that the user chose: links and other owners are allowed.
 * @throws {DatabaseError} also for an existing file with 0 bytes.
 */
export function openPrivateDatabase(file: string, pageBytes?: PageBytes): Database {
  naming(file, () => {
    if (requireContent(file)) return;
    // Without SQLite, the error names this file, and not the temporary file of the new database.
    loadSqlite(file);
    makeFolder(dirname(file), 0o700);
    createDatabase(file, (unnamed) => writeHeader(unnamed, pageBytes));
  });
  return openDatabase(file);
}

/**
 * Writes the header of a database in WAL mode to an empty file. The caller waits for the disk. The version is set first,
 * because SQLite leaves the file empty if the file system does not support WAL.
 */
export function writeHeader(file: string, pageBytes: PageBytes = 4096): void {
  const { DatabaseSync } = loadSqlite(file);
  const db = new DatabaseSync(file);
  closedOnFailure(db, () =>
    db.exec(
      `PRAGMA page_size = ${pageBytes}; PRAGMA synchronous = OFF; PRAGMA user_version = 0; PRAGMA journal_mode = WAL;`,
    ),
  ).close();
}

/**
 * Returns the version of the tables (`PRAGMA user_version`); 0 in a new file.
 * @throws {DatabaseError} if the version is above `known`.
 */
export function versionOf(db: Database, file: string, known: number): number {
  const { user_version: found } = db.prepare('PRAGMA user_version').get() as { user_version: number };
  if (found > known)
    throw new DatabaseError(file, 'newer', new RangeError(`version ${found}, known ${known}`));
  return found;
}

/**
 * Yields rows one at a time. The statement stays reachable until the last row, because on Node 20 the iterator of a
 * garbage-collected statement fails with "iterator was invalidated".
 */
export function* iterateRows<T>(
  db: Database,
  sql: string,
  values: readonly (string | number | null)[] = [],
  options: { readonly bigInts?: boolean } = {},
): Generator<T, void, undefined> {
  const statement = db.prepare(sql);
  statement.setReadBigInts(options.bigInts ?? false);
  try {
    yield* statement.iterate(...values) as Iterable<T>;
  } finally {
    // This call after the last row keeps the statement from being garbage collected.
    statement.setReadBigInts(false);
  }
}

/**
 * Returns the names of the columns of a statement, even without rows; empty before Node 22.16, which has no such
 * function.
 */
export function columnNames(db: Database, sql: string): readonly string[] {
  const statement: Partial<Pick<Statement, 'columns'>> = db.prepare(sql);
  return statement.columns?.().map(({ name }) => name) ?? [];
}

/** Rolls back after an error. A full or failing disk may have rolled back already. */
export function rollBack(db: Database): void {
  try {
    db.exec('ROLLBACK');
  } catch {
    // The error that caused the rollback is more useful than an error of the rollback.
  }
}

/** Runs `work` in one `BEGIN IMMEDIATE` transaction; rolls back when it throws. */
export function transaction<T>(db: Database, work: () => T): T {
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
