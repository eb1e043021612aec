import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { openDatabase, type Database } from '../../platform/sqlite.ts';
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
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const db = openDatabase(file);
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as {
    readonly user_version: number;
  };
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
    try {
      db.exec('ROLLBACK');
    } catch {
      // A full disk may have rolled back already.
    }
    throw error;
  }
}
