import { transaction, type Database } from '../../platform/sqlite.ts';
import { schema, schemaVersion } from './schema.ts';

/**
 * Creates the tables of a new database.
 * @throws {Error} if another version of the sandbox created the database.
 */
export function createTables(db: Database): void {
  const row = db.prepare('PRAGMA user_version').get() as { user_version: number };
  if (row.user_version === schemaVersion) return;
  if (row.user_version !== 0) {
    throw new Error(
      `another version of the sandbox created the database (${row.user_version}); use a new file`,
    );
  }
  transaction(db, () => db.exec(`${schema} PRAGMA user_version = ${schemaVersion};`));
}
