import type { Database } from '../../../platform/sqlite.ts';
import { insertText, prepareNamed } from '../../../platform/named-statement.ts';

/** The delivery of an event to a target. */
export interface Delivery {
  readonly id: number;
  readonly eventId: number;
  readonly target: string;
  /** ID of the extension of the event. The events of a lane are delivered in order. */
  readonly lane: string;
  /** State of the delivery. `dead` means a dead letter, as listed by `events dlq`. */
  readonly state: 'pending' | 'done' | 'dead';
  readonly attempts: number;
  /** Earliest time of the next attempt, in milliseconds since 1970. */
  readonly nextAt: number;
  readonly problem: string | null;
  /** Duration of the last attempt in milliseconds. */
  readonly milliseconds: number | null;
}

/** Deliveries in the database of the inbox. */
export class Deliveries {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Adds a pending delivery. Returns undefined if the event already has a delivery to this target. */
  add(eventId: number, target: string, lane: string, now: number): Delivery | undefined {
    const row = { eventId, target, lane, state: 'pending', nextAt: now };
    const insert = insertText('delivery', Object.keys(row), 'ON CONFLICT DO NOTHING RETURNING *');
    return prepareNamed<Delivery>(this.#db, insert).get(row);
  }

  save({ id, state, attempts, nextAt, problem, milliseconds }: Delivery): void {
    prepareNamed(
      this.#db,
      `UPDATE delivery SET state = :state, attempts = :attempts, nextAt = :nextAt, problem = :problem,
       milliseconds = :milliseconds WHERE id = :id`,
    ).run({ state, attempts, nextAt, problem, milliseconds, id });
  }

  /** Returns the deliveries in one state, in the order of their events. */
  in(state: Delivery['state']): readonly Delivery[] {
    return this.#db.prepare('SELECT * FROM delivery WHERE state = ? ORDER BY eventId, id').all(state);
  }

  of(eventId: number): readonly Delivery[] {
    return this.#db.prepare('SELECT * FROM delivery WHERE eventId = ? ORDER BY id').all(eventId);
  }

  remove(id: number): void {
    this.#db.prepare('DELETE FROM delivery WHERE id = ?').run(id);
  }
}
