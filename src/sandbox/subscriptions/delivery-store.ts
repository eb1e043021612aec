import type { Database } from '../../platform/sqlite.ts';
import { prepare } from '../world/sql.ts';

/** A notification to a webhook. */
export interface DeliveryRow {
  readonly id: number;
  readonly subscriptionId: string;
  readonly uuid: string;
  /** The posted JSON. */
  readonly payload: string;
  readonly createdAt: number;
  readonly state: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly finishedAt: number | null;
}

/** The outbox: a row is added in the transaction of the change that it reports. */
export class DeliveryStore {
  readonly #add;
  readonly #pending;
  readonly #finish;
  readonly #drop;
  readonly #all;
  readonly #byId;
  #added = 0;

  constructor(db: Database) {
    this.#add = prepare(
      db,
      "INSERT INTO delivery (subscriptionId, uuid, payload, createdAt, state, attempts) VALUES (:subscriptionId, :uuid, :payload, :createdAt, 'pending', 0)",
    );
    this.#pending = prepare<DeliveryRow>(
      db,
      "SELECT * FROM delivery WHERE state = 'pending' AND id > :id ORDER BY id LIMIT :limit",
    );
    this.#finish = prepare(
      db,
      'UPDATE delivery SET state = :state, attempts = attempts + 1, status = :status, error = :error, finishedAt = :finishedAt WHERE id = :id',
    );
    this.#drop = prepare(
      db,
      "DELETE FROM delivery WHERE subscriptionId = :subscriptionId AND state = 'pending'",
    );
    this.#byId = prepare<DeliveryRow>(db, 'SELECT * FROM delivery WHERE id = :id');
    this.#all = prepare<DeliveryRow>(db, 'SELECT * FROM delivery ORDER BY id');
  }

  /** Number of rows added by this process: a cheap check for the worker. */
  get added(): number {
    return this.#added;
  }

  add(subscriptionId: string, uuid: string, payload: string, createdAt: number): void {
    this.#add.run({ subscriptionId, uuid, payload, createdAt });
    this.#added += 1;
  }

  pending(afterId: number, limit: number): readonly DeliveryRow[] {
    return this.#pending.all({ id: afterId, limit });
  }

  finish(id: number, result: Pick<DeliveryRow, 'state' | 'status' | 'error' | 'finishedAt'>): void {
    this.#finish.run({ id, ...result });
  }

  /** Deletes the pending notifications of a subscription that ended. */
  drop(subscriptionId: string): void {
    this.#drop.run({ subscriptionId });
  }

  byId(id: number): DeliveryRow | undefined {
    return this.#byId.get({ id });
  }

  all(): readonly DeliveryRow[] {
    return this.#all.all();
  }
}
