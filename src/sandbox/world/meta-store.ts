import type { Database } from '../../platform/sqlite.ts';
import { prepare } from './sql.ts';

/** Small values of the sandbox itself: counters, the clock, the fixture's name. */
export class MetaStore {
  readonly #read;
  readonly #write;
  readonly #changes;

  constructor(db: Database) {
    this.#read = prepare<{ value: string }>(db, 'SELECT value FROM meta WHERE key = :key');
    this.#write = prepare(
      db,
      'INSERT INTO meta (key, value) VALUES (:key, :value) ON CONFLICT DO UPDATE SET value = excluded.value',
    );
    this.#changes = prepare<{ count: number }>(db, 'SELECT total_changes() AS count');
  }

  get(key: string): string | undefined {
    return this.#read.get({ key })?.value;
  }

  number(key: string): number | undefined {
    const text = this.get(key);
    return text === undefined ? undefined : Number(text);
  }

  set(key: string, value: string): void {
    this.#write.run({ key, value });
  }

  /** Number of rows that this connection changed in any table, including changes that were rolled back. */
  changes(): number {
    return this.#changes.get()?.count ?? 0;
  }
}
