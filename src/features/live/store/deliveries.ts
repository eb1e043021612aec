import type { Database } from '../../../platform/sqlite.ts';

/** An event on its way to a target. */
export interface Delivery {
  readonly id: number;
  readonly eventId: number;
  readonly target: string;
  /** Events of one lane arrive in order: the extension they are about. */
  readonly lane: string;
  /** `dead`: given up; `events dlq` shows and retries it. */
  readonly state: 'pending' | 'done' | 'dead';
  readonly attempts: number;
  /** Milliseconds since 1970. */
  readonly nextAt: number;
  readonly problem: string | null;
  /** Time that the last attempt took. */
  readonly milliseconds: number | null;
}

/** Deliveries in the inbox's database. */
export class Deliveries {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Undefined when the event is on its way to that target already. */
  add(eventId: number, target: string, lane: string, now: number): Delivery | undefined {
    const row = this.#db
      .prepare(
        "INSERT INTO delivery (eventId, target, lane, state, nextAt) VALUES (?, ?, ?, 'pending', ?) ON CONFLICT DO NOTHING RETURNING *",
      )
      .get(eventId, target, lane, now);
    return row;
  }

  save({ id, state, attempts, nextAt, problem, milliseconds }: Delivery): void {
    this.#db
      .prepare(
        'UPDATE delivery SET state = ?, attempts = ?, nextAt = ?, problem = ?, milliseconds = ? WHERE id = ?',
      )
      .run(state, attempts, nextAt, problem, milliseconds, id);
  }

  /** In the order of the events. */
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
