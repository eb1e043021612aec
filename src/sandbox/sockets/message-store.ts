import type { Database } from '../../platform/sqlite.ts';
import { prepare, prepareInsert } from '../world/sql.ts';

/** An event of a session. */
export interface SocketMessageRow {
  /** Position in the session; the first event has position 2, because `ConnectionDetails` has position 1. */
  readonly sequence: number;
  /** The notification as JSON. */
  readonly payload: string;
  /** The record of the delivery. */
  readonly deliveryId: number;
}

/** Position of the `ConnectionDetails` frame of a new session. */
export const firstPosition = 1;
const pageSize = 100;

/**
 * Unsent events of WebSocket sessions, and the newest sent events for recovery. The table is temporary: it takes part
 * in transactions, and ends with the process, like the sessions. It is not part of snapshots.
 */
export class SocketMessageStore {
  readonly #add;
  readonly #trim;
  readonly #after;
  readonly #newest;
  readonly #drop;
  readonly #clear;
  #added = 0;

  constructor(db: Database) {
    db.exec(`CREATE TEMP TABLE IF NOT EXISTS socketMessage (
      session TEXT NOT NULL, sequence INTEGER NOT NULL, payload TEXT NOT NULL, deliveryId INTEGER NOT NULL, PRIMARY KEY (session, sequence)) WITHOUT ROWID`);
    this.#add = prepareInsert(db, 'socketMessage', ['session', 'sequence', 'payload', 'deliveryId']);
    this.#trim = prepare<Pick<SocketMessageRow, 'deliveryId'>>(
      db,
      'DELETE FROM socketMessage WHERE session = :session AND sequence <= :sequence RETURNING deliveryId',
    );
    this.#after = prepare<SocketMessageRow>(
      db,
      `SELECT sequence, payload, deliveryId FROM socketMessage WHERE session = :session AND sequence > :sequence ORDER BY sequence LIMIT ${pageSize}`,
    );
    this.#newest = prepare<{ sequence: number | null }>(
      db,
      'SELECT max(sequence) AS sequence FROM socketMessage WHERE session = :session',
    );
    this.#drop = prepare(db, 'DELETE FROM socketMessage WHERE session = :session');
    this.#clear = prepare(db, 'DELETE FROM socketMessage');
  }

  /** Number of events that this process added: a cheap check whether there are events to send. */
  get added(): number {
    return this.#added;
  }

  /**
   * Adds an event. Deletes events that were sent, except the newest `retained` events.
   * @param sent position of the newest event that was sent; Infinity while the session has no connection.
   * @returns the deliveries of the deleted events.
   */
  add(
    session: string,
    { payload, deliveryId }: Omit<SocketMessageRow, 'sequence'>,
    retained: number,
    sent: number,
  ): readonly number[] {
    const sequence = this.newest(session) + 1;
    this.#add.run({ session, sequence, payload, deliveryId });
    this.#added += 1;
    return this.#trim
      .all({ session, sequence: Math.min(sequence - retained, sent) })
      .map((row) => row.deliveryId);
  }

  /** Returns the position of the newest event of a session. */
  newest(session: string): number {
    return this.#newest.get({ session })?.sequence ?? firstPosition;
  }

  after(session: string, sequence: number): readonly SocketMessageRow[] {
    return this.#after.all({ session, sequence });
  }

  /** Deletes the events of a session that ended. */
  drop(session: string): void {
    this.#drop.run({ session });
  }

  clear(): void {
    this.#clear.run();
  }
}
