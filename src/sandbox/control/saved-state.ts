import { existsSync, renameSync } from 'node:fs';
import { isReadableVersion } from '../world/create-tables.ts';
import { schemaVersion } from '../world/schema.ts';
import { deleteFileSync } from '../../platform/delete-file.ts';
import type { Database } from '../../platform/sqlite.ts';
import type { World } from '../world/world.ts';
import { ControlError } from './control-error.ts';
import { clearTables, tablesOf } from './state.ts';

/** Writes the complete state with the current time to a database file, and overwrites an existing file. */
export function saveState(world: World, file: string): void {
  world.inTransaction(() => {
    world.requestLog.flush();
    world.clock.store();
  });
  const part = `${file}.part`;
  deleteFileSync(part);
  world.database.prepare('VACUUM INTO ?').run(part);
  renameSync(part, file);
}

/**
 * Restores the state and time from a file that `saveState` wrote. @throws {ControlError} if the file is not a snapshot.
 */
export function loadState(world: World, file: string): void {
  attach(world, file);
  const { database } = world;
  try {
    checkVersion(world, file);
    world.inTransaction(() => {
      clearTables(database);
      for (const table of tablesOf(database)) {
        // A snapshot of an older version has fewer columns.
        const columns = columnsOf(database, table);
        database.exec(`INSERT INTO main.${table} (${columns}) SELECT ${columns} FROM snapshot.${table}`);
      }
      world.reload();
    });
  } finally {
    database.exec('DETACH snapshot');
  }
}

function attach({ database }: World, file: string): void {
  // The file must exist, because ATTACH would create a missing file.
  if (!existsSync(file)) throw new ControlError(404, 'not_found', `snapshot ${file} not found`);
  try {
    database.prepare('ATTACH ? AS snapshot').run(file);
  } catch (error) {
    throw unreadable(file, error instanceof Error ? error.message : String(error));
  }
}

function checkVersion({ database }: World, file: string): void {
  const { user_version: found } = database.prepare('PRAGMA snapshot.user_version').get() as {
    user_version: number;
  };
  if (isReadableVersion(found)) return;
  throw unreadable(
    file,
    `the snapshot has version ${found}, but this sandbox reads only version ${schemaVersion}`,
  );
}

/** Returns the names of the columns of a table in the snapshot. */
function columnsOf(database: Database, table: string): string {
  const columns = database.prepare(`PRAGMA snapshot.table_info(${table})`).all() as { name: string }[];
  return columns.map(({ name }) => `"${name}"`).join(', ');
}

function unreadable(file: string, why: string): ControlError {
  return new ControlError(400, 'not_a_snapshot', `${file} is not a valid sandbox snapshot: ${why}`);
}
