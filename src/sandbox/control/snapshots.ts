import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { World } from '../world/world.ts';
import { controlNotFound } from './control-error.ts';
import { loadState, saveState } from './saved-state.ts';

/** A saved state. */
export interface Snapshot {
  readonly name: string;
  readonly bytes: number;
  /** Time of the snapshot in ISO 8601, according to the clock of the machine. */
  readonly savedAt: string;
}

const suffix = '.snapshot.db';

/**
 * Saved states: copies of the database in a folder next to it. Snapshots of a database in memory are deleted when the
 * sandbox stops.
 */
export class Snapshots {
  readonly #world: World;
  readonly #database: string;
  #folder: string | undefined;

  constructor(world: World, database: string) {
    this.#world = world;
    this.#database = database;
  }

  list(): readonly Snapshot[] {
    const folder = this.#existingFolder();
    if (folder === undefined || !existsSync(folder)) return [];
    return readdirSync(folder)
      .filter((file) => file.endsWith(suffix))
      .toSorted()
      .map((file) => this.#describe(folder, file.slice(0, -suffix.length)));
  }

  /** Saves the current state and time, and overwrites a snapshot of the same name. */
  save(name: string): Snapshot {
    const folder = this.#existingFolder() ?? this.#makeFolder();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    saveState(this.#world, join(folder, name + suffix));
    return this.#describe(folder, name);
  }

  /** Restores a state and its time. @throws {ControlError} 404. */
  load(name: string): Snapshot {
    const folder = this.#existingFolder();
    const file = folder === undefined ? '' : join(folder, name + suffix);
    if (folder === undefined || !existsSync(file)) return controlNotFound(`snapshot ${name}`);
    loadState(this.#world, file);
    return this.#describe(folder, name);
  }

  /** Deletes the snapshots of a database in memory. */
  close(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  #existingFolder(): string | undefined {
    return this.#database === ':memory:' ? this.#folder : `${this.#database}.snapshots`;
  }

  #makeFolder(): string {
    this.#folder ??= mkdtempSync(join(tmpdir(), 'ucctl-snapshots-'));
    return this.#folder;
  }

  #describe(folder: string, name: string): Snapshot {
    const { size, mtime } = statSync(join(folder, name + suffix));
    return { name, bytes: size, savedAt: mtime.toISOString() };
  }
}
