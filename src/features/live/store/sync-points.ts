import type { Database } from '../../../platform/sqlite.ts';

/** Where the incremental sync of a mailbox goes on. */
export interface SyncPoint {
  readonly token: string;
  /** Time of the service's clock. */
  readonly takenAt: number;
  /** Newest event of the inbox at that time. */
  readonly position: number;
  /** Ids of messages in the reply: the next one repeats the last seconds. */
  readonly known: readonly string[];
}

/** The sync points of each receiver, one for each mailbox. */
export class SyncPoints {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  of(receiver: string, extensionId: string): SyncPoint | undefined {
    const row = this.#db
      .prepare('SELECT * FROM syncPoint WHERE receiver = ? AND extensionId = ?')
      .get(receiver, extensionId) as (Omit<SyncPoint, 'known'> & { known: string }) | undefined;
    return row && { ...row, known: JSON.parse(row.known) as string[] };
  }

  set(receiver: string, extensionId: string, { token, takenAt, position, known }: SyncPoint): void {
    this.#db
      .prepare('INSERT OR REPLACE INTO syncPoint VALUES (?, ?, ?, ?, ?, ?)')
      .run(receiver, extensionId, token, takenAt, position, JSON.stringify(known));
  }
}
