import { transaction, type Database } from '../../platform/sqlite.ts';
import { schema, schemaVersion, upgrades } from './schema.ts';

/**
 * Creates the tables of a new database, or upgrades those of an older version.
 * @throws {Error} if the version of the database cannot be upgraded.
 */
export function createTables(db: Database): void {
  const row = db.prepare('PRAGMA user_version').get() as { user_version: number };
  if (row.user_version === schemaVersion) return;
  const statements = row.user_version === 0 ? schema : upgradeFrom(row.user_version);
  if (statements === undefined) {
    throw new Error(
      `another version of the sandbox created the database (${row.user_version}); use a new file`,
    );
  }
  transaction(db, () => db.exec(`${statements} PRAGMA user_version = ${schemaVersion};`));
}

/** Returns the statements that upgrade tables to the present version, which needs none; undefined for an unknown version. */
function upgradeFrom(version: number): string | undefined {
  const steps = Array.from({ length: schemaVersion - version }, (_, step) => upgrades.get(version + step));
  return version > schemaVersion || steps.includes(undefined) ? undefined : steps.join(' ');
}

/** Whether tables of a version can be upgraded to the present version. */
export function isReadableVersion(version: number): boolean {
  return upgradeFrom(version) !== undefined;
}
