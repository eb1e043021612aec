import { openDatabase, openPrivateDatabase, versionOf, type Database } from '../../platform/sqlite.ts';
import { closedOnFailure } from '../../platform/sqlite/connection.ts';
import { openReadOnly } from '../../platform/sqlite/read-only.ts';
import { ensureArchiveId } from './archive-id.ts';
import { mirrorSchemaVersion, mirrorSchema } from './schema.ts';

/** The error for a database that is not a mailbox copy, or not one that this program can open. */
export class ForeignMirrorError extends Error {
  override readonly name = 'ForeignMirrorError';
}

/**
 * Opens the copy for writing, or creates it. The file is in WAL mode with durable commits, and only its owner can read
 * it.
 * @throws {ForeignMirrorError} the file has another schema.
 * @throws {DatabaseError} a newer version of ucctl created the copy.
 */
export function openMirror(file: string): Database {
  const db = openPrivateDatabase(file);
  return closedOnFailure(db, () => {
    if (requireMirror(db, file) === 0)
      db.exec(`BEGIN IMMEDIATE; ${mirrorSchema} PRAGMA user_version = ${mirrorSchemaVersion}; COMMIT;`);
    ensureArchiveId(db);
  });
}

/** Returns the schema version of a copy; 0 for a database without tables. @throws the errors of `openMirror`. */
export function requireMirror(db: Database, file: string): number {
  const { tables, own } = db
    .prepare("SELECT count(*) AS tables, total(name = 'mailbox') AS own FROM sqlite_schema")
    .get() as { readonly tables: number; readonly own: number };
  // The user_version of another program's database has no meaning for ucctl, and such a file must not be moved
  // away as damaged.
  if (tables > 0 && own === 0) throw new ForeignMirrorError(`${file} is not a local mailbox copy of ucctl`);
  const version = versionOf(db, file, mirrorSchemaVersion);
  if (version === mirrorSchemaVersion || tables === 0) return version;
  throw new ForeignMirrorError(
    `${file} is a local mailbox copy with schema version ${version}, which this version of ucctl cannot read`,
  );
}

/**
 * Whether a table, index or view of a copy differs from what ucctl creates, as after disk damage. Called only after a
 * failure.
 */
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
  // v_call is excluded, because calllog sync replaces it with a view of its own tables.
  const rows = db.prepare("SELECT type, name, sql FROM sqlite_schema WHERE name <> 'v_call'").all();
  return rows.map((row) => JSON.stringify(row));
}
