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

/** A pending delivery with the receiver of its event; null if the event has been deleted. */
export interface PendingDelivery extends Delivery {
  readonly receiver: string | null;
}

/** Number of pending deliveries that one query reads. */
const pendingBatch = 200;

/** Selects the pending deliveries to a target after a delivery. An index has them in this order. */
export const pendingAfter = `SELECT delivery.*, event.receiver FROM delivery LEFT JOIN event ON event.id = eventId
  WHERE state = 'pending' AND target = :target AND delivery.id > :after ORDER BY delivery.id LIMIT ${pendingBatch}`;

/** Maximum number of deliveries of a lane that a process has in memory. */
export const laneBatch = 50;

/** Selects the pending deliveries of a lane after a delivery. An index has them in this order. */
export const pendingInLane = `SELECT delivery.*, event.receiver FROM delivery LEFT JOIN event ON event.id = eventId
  WHERE state = 'pending' AND target = :target AND lane = :lane AND delivery.id > :after ORDER BY delivery.id LIMIT ${laneBatch}`;

/** Deliveries in the database of the inbox. */
export class Deliveries {
  readonly #add;
  readonly #save;
  readonly #in;
  readonly #pending;
  readonly #pendingInLane;
  readonly #of;
  readonly #remove;

  constructor(db: Database) {
    this.#add = prepareNamed<Delivery>(
      db,
      insertText(
        'delivery',
        ['eventId', 'target', 'lane', 'state', 'nextAt'],
        'ON CONFLICT DO NOTHING RETURNING *',
      ),
    );
    this.#save = prepareNamed<never, Delivery>(
      db,
      `UPDATE delivery SET state = :state, attempts = :attempts, nextAt = :nextAt, problem = :problem,
       milliseconds = :milliseconds WHERE id = :id`,
    );
    this.#in = prepareNamed<Delivery>(db, 'SELECT * FROM delivery WHERE state = :state ORDER BY eventId, id');
    this.#pending = prepareNamed<PendingDelivery>(db, pendingAfter);
    this.#pendingInLane = prepareNamed<PendingDelivery>(db, pendingInLane);
    this.#of = prepareNamed<Delivery>(db, 'SELECT * FROM delivery WHERE eventId = :eventId ORDER BY id');
    this.#remove = prepareNamed(db, 'DELETE FROM delivery WHERE id = :id');
  }

  /** Adds a pending delivery. Returns undefined if the event already has a delivery to this target. */
  add(eventId: number, target: string, lane: string, now: number): Delivery | undefined {
    return this.#add.get({ eventId, target, lane, state: 'pending', nextAt: now });
  }

  save(delivery: Delivery): void {
    this.#save.run(delivery);
  }

  /** Returns the deliveries in one state, in the order of their events. */
  in(state: Delivery['state']): readonly Delivery[] {
    return this.#in.all({ state });
  }

  /** Returns pending deliveries to a target after the delivery with this ID, in the order of their IDs, at most 200. */
  pending(target: string, after: number): readonly PendingDelivery[] {
    return this.#pending.all({ target, after });
  }

  /** Returns pending deliveries of a lane after the delivery with this ID, in the order of their IDs, at most 50. */
  pendingInLane(
    { target, lane }: Pick<Delivery, 'target' | 'lane'>,
    after: number,
  ): readonly PendingDelivery[] {
    return this.#pendingInLane.all({ target, lane, after });
  }

  of(eventId: number): readonly Delivery[] {
    return this.#of.all({ eventId });
  }

  remove(id: number): void {
    this.#remove.run({ id });
  }
}
