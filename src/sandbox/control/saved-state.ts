import { existsSync, renameSync, rmSync } from 'node:fs';
import { schemaVersion } from '../world/schema.ts';
import type { World } from '../world/world.ts';
import { ControlError } from './control-error.ts';
import { clearTables, tablesOf } from './state.ts';

const time = 'clock.time';

/** Writes the whole state to a database file, with the present time. Replaces the file. */
export function saveState(world: World, file: string): void {
  world.inTransaction(() => {
    world.requestLog.flush();
    world.meta.set(time, String(world.clock.now()));
  });
  const part = `${file}.part`;
  rmSync(part, { force: true });
  world.database.prepare('VACUUM INTO ?').run(part);
  renameSync(part, file);
}

/** Replaces the whole state by the one in a file of `saveState`; its time comes back too. @throws {ControlError} when it is no such file. */
export function loadState(world: World, file: string): void {
  attach(world, file);
  const { database } = world;
  try {
    checkVersion(world, file);
    world.inTransaction(() => {
      clearTables(database);
      for (const table of tablesOf(database)) {
        database.exec(`INSERT INTO main.${table} SELECT * FROM snapshot.${table}`);
      }
      world.reload();
    });
  } finally {
    database.exec('DETACH snapshot');
  }
}

function attach({ database }: World, file: string): void {
  // ATTACH would create a file that does not exist.
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
  if (found === schemaVersion) return;
  throw unreadable(file, `it has version ${found}, and this sandbox reads version ${schemaVersion}`);
}

function unreadable(file: string, why: string): ControlError {
  return new ControlError(400, 'not_a_snapshot', `${file} is not a snapshot of a sandbox: ${why}`);
}
