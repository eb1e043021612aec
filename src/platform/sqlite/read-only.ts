import { pathToFileURL } from 'node:url';
import { DatabaseError, databaseProblemOf, named, naming } from '../database-error.ts';
import { contentOf, requireContent } from '../new-database.ts';
import { closedOnFailure, loadSqlite, type Database } from './connection.ts';
import { integrityProblems, isUnreadable } from './integrity.ts';
import { nameFailures } from './name-failures.ts';
import { entryAt } from '../entry-at.ts';

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
  const sizeOf = (suffix: string) => entryAt(file + suffix)?.size ?? 0;
  return sizeOf('') > 0 && sizeOf('-wal') === 0;
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
    const problems = integrityProblems(db, file, 5);
    return problems.length === 0 ? undefined : problems.join('; ');
  } finally {
    db.close();
  }
}

/** Returns the damage that an error reports. @throws {DatabaseError} if the file cannot be checked. */
function damageOf(file: string, error: unknown): string {
  const problem = databaseProblemOf(error);
  if (problem !== undefined && problem !== 'damaged') throw named(error, file);
  if (isUnreadable(file)) throw new DatabaseError(file, 'broken', error);
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
