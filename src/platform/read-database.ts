import { databaseProblemOf, type DatabaseProblem } from './database-error.ts';
import { contentOf } from './new-database.ts';
import { openDatabase, type Database } from './sqlite.ts';
import { openReadOnly } from './sqlite/read-only.ts';

/** Problems of a file that can often still be read, for example on a full disk or in a read-only home folder. */
const unwritable: ReadonlySet<DatabaseProblem | undefined> = new Set<DatabaseProblem>([
  'read-only',
  'full',
  'limited',
  'broken',
  'unreachable',
]);

/**
 * Opens a database for work that only reads it. If `open` cannot write, the database is opened for reading. A file that
 * does not exist, or in which a full disk prevented the creation of the tables, counts as a database with empty tables.
 * @param open opens the database, and creates the file and its tables if they are missing
 * @param tables the statements that create the tables
 * @throws {DatabaseError} if the file cannot be read
 */
export function openToRead(file: string, open: () => Database, tables: string): Database {
  try {
    return open();
  } catch (error) {
    if (!unwritable.has(databaseProblemOf(error))) throw error;
    const found = existing(file, error);
    if (found && hasTables(found)) return found;
    found?.close();
    const empty = openDatabase(':memory:');
    empty.exec(tables);
    return empty;
  }
}

/** Returns a database that exists. @throws `problem` if the file cannot be read. */
function existing(file: string, problem: unknown): Database | undefined {
  try {
    return contentOf(file) === 'missing' ? undefined : openReadOnly(file);
  } catch {
    throw problem;
  }
}

function hasTables(db: Database): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined;
}
