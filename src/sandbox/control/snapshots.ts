import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { World } from '../world/world.ts';
import { missing } from './control-error.ts';
import { loadState, saveState } from './saved-state.ts';

/** A kept state. */
export interface Snapshot {
  readonly name: string;
  readonly bytes: number;
  /** ISO 8601, by the machine's clock. */
  readonly savedAt: string;
}

const suffix = '.snapshot.db';

/** States that can be returned to: copies of the database, beside it; those of a database in memory go when the sandbox ends. */
export class Snapshots {
  readonly #world: World;
  readonly #database: string;
  #folder: string | undefined;

  constructor(world: World, database: string) {
    this.#world = world;
    this.#database = database;
  }

  list(): readonly Snapshot[] {
    const folder = this.#place();
    if (folder === undefined || !existsSync(folder)) return [];
    return readdirSync(folder)
      .filter((file) => file.endsWith(suffix))
      .toSorted()
      .map((file) => this.#describe(folder, file.slice(0, -suffix.length)));
  }

  /** Keeps the present state, with the present time; takes the place of one with the same name. */
  save(name: string): Snapshot {
    const folder = this.#place() ?? this.#makeFolder();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    saveState(this.#world, join(folder, name + suffix));
    return this.#describe(folder, name);
  }

  /** Returns to a state and to its time. @throws {ControlError} 404. */
  load(name: string): Snapshot {
    const folder = this.#place();
    const file = folder === undefined ? '' : join(folder, name + suffix);
    if (folder === undefined || !existsSync(file)) return missing(`snapshot ${name}`);
    loadState(this.#world, file);
    return this.#describe(folder, name);
  }

  /** Removes those of a database in memory. */
  close(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  #place(): string | undefined {
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
