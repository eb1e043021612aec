import type { Database } from '../../../platform/sqlite.ts';
import { insertRow } from '../../../platform/named-statement.ts';

/** The state from which the incremental sync of a mailbox continues. */
export interface SyncPoint {
  readonly token: string;
  /** Time by the clock of the service, in milliseconds since 1970. */
  readonly takenAt: number;
  /** ID of the newest event in the inbox when the sync point was stored. */
  readonly position: number;
  /** IDs of messages in the reply, which the next reply may repeat. */
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
    const point = { token, takenAt, position, known: JSON.stringify(known) };
    insertRow(this.#db, 'syncPoint', { receiver, extensionId, ...point }, 'REPLACE');
  }
}
