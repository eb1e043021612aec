import { createRequire } from 'node:module';
import { DatabaseError, type DatabaseProblem } from '../database-error.ts';

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

export interface Statement {
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
 * @param file the database, for the message. @throws {DatabaseError} if neither can be loaded.
 */
export function loadSqlite(file: string): SqliteModule {
  const builtin = process.getBuiltinModule('node:sqlite') as unknown as SqliteModule | undefined;
  return builtin ?? sqlitePackage(file, createRequire(import.meta.url));
}

/**
 * Loads the optional package with SQLite. @throws {DatabaseError} if npm did not install the package, or if its native
 * code does not support this machine.
 */
export function sqlitePackage(file: string, load: (name: string) => unknown): SqliteModule {
  try {
    return load('@photostructure/sqlite') as SqliteModule;
  } catch (error) {
    throw new DatabaseError(file, problemOfPackage(error as NodeJS.ErrnoException), error);
  }
}

function problemOfPackage({ code, message }: NodeJS.ErrnoException): DatabaseProblem {
  if (code === 'MODULE_NOT_FOUND') return 'no-sqlite';
  // The error of the loader of native code has no code of the system.
  return /too many open files/i.test(message) ? 'files' : 'unusable-sqlite';
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
