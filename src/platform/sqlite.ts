import { statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DatabaseError, named, naming, databaseProblemOf } from './database-error.ts';
import { makeFolder } from './make-folder.ts';
import { contentOf, createDatabase } from './new-database.ts';
import { requireOwn, requireOwnFile } from './ownership.ts';

/**
 * The members in use of node:sqlite and of the package with the same API. Types of that optional package in the library
 * would not compile where npm did not install it.
 */
export interface Database {
  prepare(sql: string): Statement;
  exec(sql: string): void;
  close(): void;
}

// oxlint-disable-next-line typescript/no-explicit-any -- each caller knows the rows of its statement
type Row = any;

interface Statement {
  run(...values: readonly unknown[]): { readonly changes: number; readonly lastInsertRowid: number | bigint };
  get(...values: readonly unknown[]): Row;
  all(...values: readonly unknown[]): Row[];
  iterate(...values: readonly unknown[]): IterableIterator<Row>;
  setReadBigInts(enabled: boolean): void;
  columns(): readonly { readonly name: string }[];
}

interface SqliteModule {
  readonly DatabaseSync: new (file: string, options?: { readonly readOnly?: boolean }) => Database;
}

/**
 * Loads node:sqlite (Node 22.13 and later). On older versions it loads the package with the same API
 * (docs/adr/0002-sqlite.md).
 * @param file the database, for the message. @throws {DatabaseError} if there is neither.
 */
function loadSqlite(file: string): SqliteModule {
  const builtin = process.getBuiltinModule('node:sqlite') as unknown as SqliteModule | undefined;
  return builtin ?? sqlitePackage(file, createRequire(import.meta.url));
}

/** Loads the optional package with SQLite. @throws {DatabaseError} if npm did not install the package. */
export function sqlitePackage(file: string, load: (name: string) => unknown): SqliteModule {
  try {
    return load('@photostructure/sqlite') as SqliteModule;
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND';
    throw isMissing ? new DatabaseError(file, 'no-sqlite', error) : error;
  }
}

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

/** Prepares a new connection, and closes the connection if that fails. */
export function closedOnFailure(db: Database, prepare: () => void): Database {
  try {
    prepare();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
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
    makeFolder(dirname(file), 0o700);
    createDatabase(file, (unnamed) => writeHeader(unnamed, pageBytes));
  });
  return openDatabase(file);
}

/** Whether a database file exists. @throws {DatabaseError} if the file has 0 bytes, because ucctl creates no such file. */
function requireContent(file: string): boolean {
  const content = contentOf(file);
  if (content === 'empty') throw new DatabaseError(file, 'empty');
  return content === 'present';
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
 * Creates the empty file of a lock (mode 0600, in a folder of mode 0700), if it does not exist. The mode is set at
 * creation, so the file is never readable by others. An existing file must not be opened here: closing it would release the locks of
 * this process on it (POSIX record locks).
 */
export function createPrivate(file: string): void {
  makeFolder(dirname(file), 0o700);
  try {
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
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
 * Whether a statement tried to change a database that was opened for reading (SQLITE_READONLY). This error concerns the
 * statement, not the file.
 */
function isWriting(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // For an error during a read, Node 20 reports only the message.
  return 'errcode' in error ? error.errcode === 8 : error.message === 'attempt to write a readonly database';
}

/**
 * Adds the file name to later errors of this database that concern the file, because SQLite errors do not contain the
 * name.
 * @param isOther whether to leave an error unchanged
 */
function nameFailures(db: Database, file: string, isOther: (error: unknown) => boolean = () => false): void {
  const report = (error: unknown): unknown => (isOther(error) ? error : named(error, file));
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw report(error);
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
    replace(statement, 'iterate', (...values) => reportingRows(iterate(...values), report) as never);
    return statement;
  });
}

/** Replaces a method with `defineProperty`, because methods of native classes cannot be assigned. */
function replace<T extends object, K extends keyof T>(target: T, name: K, value: T[K]): void {
  Object.defineProperty(target, name, { value, configurable: true });
}

function* reportingRows(
  rows: Iterable<unknown>,
  report: (error: unknown) => unknown,
): Generator<unknown, void, undefined> {
  try {
    yield* rows;
  } catch (error) {
    throw report(error);
  }
}

/**
 * Opens an existing database file for reading; no statement can change a file.
 * @throws {DatabaseError} if the file does not exist. Statements on the database may throw it, too.
 */
export function openReadOnly(file: string): Database {
  try {
    return openFileToRead(file, file);
  } catch (error) {
    if (!isWithoutLog(file)) throw error;
    try {
      return openFileToRead(file, immutableAddress(file));
    } catch {
      // SQLite of early versions of Node 22 does not accept the address.
      throw error;
    }
  }
}

/** Opens a database and reads from it, because SQLite opens the other files of the database at the first read. */
function openFileToRead(file: string, name: string): Database {
  const { DatabaseSync } = loadSqlite(file);
  const db = naming(file, () => new DatabaseSync(name, { readOnly: true }));
  nameFailures(db, file, isWriting);
  return closedOnFailure(db, () => {
    requireContent(file);
    db.exec('PRAGMA busy_timeout = 5000; PRAGMA query_only = ON; SELECT 1 FROM sqlite_schema LIMIT 1;');
  });
}

/**
 * Whether all content of a database is in its main file, so that SQLite can read the file without its shared memory. SQLite cannot create the
 * shared memory on a full disk or in a read-only folder. A process that writes to the database would have created it.
 */
function isWithoutLog(file: string): boolean {
  const sizeOf = (suffix: string) => statSync(file + suffix, { throwIfNoEntry: false })?.size ?? 0;
  return sizeOf('') > 0 && sizeOf('-wal') === 0;
}

/**
 * Opens a small database that serves as a lock between processes (process-lock.ts). The connection has the lock until
 * it is closed, even after commits. Undefined if another connection has the lock; never waits.
 */
export function openAsLock(file: string): Database | undefined {
  const { DatabaseSync } = loadSqlite(file);
  const db = new DatabaseSync(file);
  try {
    db.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL;');
    db.exec('BEGIN EXCLUSIVE; COMMIT;');
  } catch (error) {
    db.close();
    if (databaseProblemOf(error) === 'busy') return undefined;
    throw error;
  }
  nameFailures(db, file);
  return db;
}

/**
 * Releases a lock of `openAsLock`. Closing alone is not enough: on Node 20 a connection stays open, with its lock,
 * until its statements are garbage collected.
 */
export function closeLock(db: Database): void {
  // An exclusive connection releases its lock at its first access after the switch to normal mode.
  db.exec('PRAGMA locking_mode = NORMAL; BEGIN; SELECT count(*) FROM sqlite_schema; COMMIT;');
  db.close();
}

/**
 * Describes the damage of a database file; undefined if the file is intact. Changes nothing.
 * @throws {DatabaseError} if the file cannot be checked, for example because another process has locked it.
 */
export function checkIntegrity(file: string): string | undefined {
  try {
    return integrityOf(file, file);
  } catch (error) {
    if (!isUnwritable(error) || !isWithoutLog(file)) return damageOf(file, error);
    try {
      return integrityOf(file, immutableAddress(file));
    } catch (problem) {
      // SQLite of early versions of Node 22 does not accept the address.
      return damageOf(file, isUnwritable(problem) ? error : problem);
    }
  }
}

function integrityOf(file: string, name: string): string | undefined {
  const { DatabaseSync } = loadSqlite(file);
  const db = new DatabaseSync(name, { readOnly: true });
  try {
    if (contentOf(file) === 'empty') return 'the file is empty';
    db.exec('PRAGMA busy_timeout = 1000;');
    const rows = db.prepare('PRAGMA integrity_check(5)').all() as { readonly integrity_check: string }[];
    const problems = rows.map((row) => row.integrity_check).filter((text) => text !== 'ok');
    return problems.length === 0 ? undefined : problems.join('; ');
  } finally {
    db.close();
  }
}

/** Returns the damage that an error reports. @throws {DatabaseError} if the file cannot be checked. */
function damageOf(file: string, error: unknown): string {
  const problem = databaseProblemOf(error);
  if (problem !== undefined && problem !== 'damaged') throw named(error, file);
  return (error as Error).message;
}

/** Whether SQLite could not create the other files of a database, for example on a read-only disk. */
function isUnwritable(error: unknown): boolean {
  return ['unreachable', 'read-only'].includes(databaseProblemOf(error) ?? '');
}

/** The address of a database that cannot change, so that SQLite creates no other files. */
function immutableAddress(file: string): string {
  return `${pathToFileURL(file).href}?immutable=1`;
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
