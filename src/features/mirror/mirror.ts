import { openOwnDatabase, rollBack, versionOf, type Database } from '../../platform/sqlite.ts';
import { mirrorSchemaVersion, mirrorSchema } from './schema.ts';

/** The database was made by a newer program, or is something else. */
export class ForeignMirrorError extends Error {
  override readonly name = 'ForeignMirrorError';
}

/**
 * Opens the copy for writing and makes it where there is none: a file that only its owner may read, in WAL mode, each commit durable.
 * @throws {ForeignMirrorError} the file holds another schema.
 */
export function openMirror(file: string): Database {
  const db = openOwnDatabase(file);
  const version = versionOf(db, file, mirrorSchemaVersion);
  if (version === mirrorSchemaVersion) return db;
  const empty = db.prepare('SELECT 1 AS n FROM sqlite_schema LIMIT 1').get() === undefined;
  if (version !== 0 || !empty) {
    db.close();
    throw new ForeignMirrorError(`${file} is no mailbox copy of this program (schema ${version})`);
  }
  db.exec(`BEGIN IMMEDIATE; ${mirrorSchema} PRAGMA user_version = ${mirrorSchemaVersion}; COMMIT;`);
  return db;
}

/** As `transaction` of platform/sqlite, around work that waits for the network. Nobody else may use the connection meanwhile. */
export async function asyncTransaction<T>(db: Database, work: () => Promise<T>): Promise<T> {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = await work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(db);
    throw error;
  }
}
