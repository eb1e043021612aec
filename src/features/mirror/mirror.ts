import {
  closedOnFailure,
  openDatabase,
  openPrivateDatabase,
  openReadOnly,
  rollBack,
  versionOf,
  type Database,
} from '../../platform/sqlite.ts';
import { mirrorSchemaVersion, mirrorSchema } from './schema.ts';

/** The database is something else. */
export class ForeignMirrorError extends Error {
  override readonly name = 'ForeignMirrorError';
}

/**
 * Opens the copy for writing and makes it where there is none: a file that only its owner may read, in WAL mode, each commit durable.
 * @throws {ForeignMirrorError} the file holds another schema. @throws {DatabaseError} for the copy of a newer version of this tool.
 */
export function openMirror(file: string): Database {
  const db = openPrivateDatabase(file);
  return closedOnFailure(db, () => {
    if (requireMirror(db, file) !== 0) return;
    db.exec(`BEGIN IMMEDIATE; ${mirrorSchema} PRAGMA user_version = ${mirrorSchemaVersion}; COMMIT;`);
  });
}

/** Answers the version of a copy's tables: 0 where there are none yet. @throws as `openMirror`. */
export function requireMirror(db: Database, file: string): number {
  const { tables, own } = db
    .prepare("SELECT count(*) AS tables, total(name = 'mailbox') AS own FROM sqlite_schema")
    .get() as { readonly tables: number; readonly own: number };
  // The number of another program's database says nothing of a newer ucctl; nor is that file to be moved away.
  if (tables > 0 && own === 0) throw new ForeignMirrorError(`${file} is no mailbox copy of ucctl`);
  const version = versionOf(db, file, mirrorSchemaVersion);
  if (version === mirrorSchemaVersion || tables === 0) return version;
  throw new ForeignMirrorError(`${file} is no mailbox copy of this ucctl (schema ${version})`);
}

/** Whether a table, index or view of a copy differs from what ucctl creates, as after damage of the disk. Examined only after a failure. */
export function isSchemaDamaged(file: string): boolean {
  try {
    const [found, expected] = [openReadOnly(file), openDatabase(':memory:')];
    try {
      expected.exec(mirrorSchema);
      const texts = new Set(schemaOf(found));
      return schemaOf(expected).some((text) => !texts.has(text));
    } finally {
      found.close();
      expected.close();
    }
  } catch {
    return true;
  }
}

function schemaOf(db: Database): readonly string[] {
  // The call log's copy replaces v_call with a view of its own tables.
  const rows = db.prepare("SELECT type, name, sql FROM sqlite_schema WHERE name <> 'v_call'").all();
  return rows.map((row) => JSON.stringify(row));
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
