import type { Database } from '../../../platform/sqlite.ts';

export interface Rejected {
  readonly id: number;
  readonly receivedAt: number;
  readonly reason: string;
  readonly raw: Uint8Array;
}

/** Rejected bodies are inspected rarely and may be an attack: few are stored, and only the beginning of each. */
const most = 500;
const mostBytes = 64 * 1024;

/** Bodies that were rejected, the last few hundred. */
export class RejectedBodies {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  add(reason: string, raw: Uint8Array, now: number): void {
    this.#db
      .prepare('INSERT INTO rejected (receivedAt, reason, raw) VALUES (?, ?, ?)')
      .run(now, reason, raw.subarray(0, mostBytes));
    this.#db.prepare('DELETE FROM rejected WHERE id <= (SELECT max(id) FROM rejected) - ?').run(most);
  }

  all(): readonly Rejected[] {
    return this.#db.prepare('SELECT * FROM rejected ORDER BY id').all();
  }
}
