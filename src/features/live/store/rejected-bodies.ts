import type { Database } from '../../../platform/sqlite.ts';
import { insertRow } from '../../../platform/named-statement.ts';

export interface Rejected {
  readonly id: number;
  readonly receivedAt: number;
  readonly reason: string;
  readonly raw: Uint8Array;
}

/** Limits of the stored bodies, which are rarely inspected and may be an attack. */
const maxBodies = 500;
const maxBytes = 64 * 1024;

/** The last few hundred rejected bodies. */
export class RejectedBodies {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  add(reason: string, raw: Uint8Array, now: number): void {
    insertRow(this.#db, 'rejected', { receivedAt: now, reason, raw: raw.subarray(0, maxBytes) });
    this.#db.prepare('DELETE FROM rejected WHERE id <= (SELECT max(id) FROM rejected) - ?').run(maxBodies);
  }

  all(): readonly Rejected[] {
    return this.#db.prepare('SELECT * FROM rejected ORDER BY id').all();
  }
}
