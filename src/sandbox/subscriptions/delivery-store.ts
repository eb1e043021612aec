import type { Database } from '../../platform/sqlite.ts';
import { prepare } from '../world/sql.ts';

/** States of a delivery. Only deliveries over WebSockets and hosted channels can be `recovered` or `lost`. */
export const deliveryStates = ['pending', 'delivered', 'recovered', 'failed', 'lost'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** A notification to a webhook, over a WebSocket, or in a hosted channel. */
export interface DeliveryRow {
  readonly id: number;
  readonly subscriptionId: string;
  /** The transport type of the subscription. */
  readonly transport: string;
  readonly uuid: string;
  /** The notification as JSON. */
  readonly payload: string;
  readonly createdAt: number;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly finishedAt: number | null;
}

type NewDelivery = Pick<DeliveryRow, 'subscriptionId' | 'transport' | 'uuid' | 'payload' | 'createdAt'>;

/**
 * All deliveries, and the outbox of webhooks: a row is added in the transaction of the change that it reports. WebSocket
 * sessions and hosted channels have their own outbox; here they record what happened to each notification.
 */
export class DeliveryStore {
  readonly #add;
  readonly #pending;
  readonly #finish;
  readonly #settle;
  readonly #lose;
  readonly #loseAll;
  readonly #drop;
  readonly #all;
  readonly #byId;
  #added = 0;

  constructor(db: Database) {
    this.#add = prepare(
      db,
      "INSERT INTO delivery (subscriptionId, transport, uuid, payload, createdAt, state, attempts) VALUES (:subscriptionId, :transport, :uuid, :payload, :createdAt, 'pending', 0)",
    );
    this.#pending = prepare<DeliveryRow>(
      db,
      "SELECT * FROM delivery WHERE state = 'pending' AND transport = 'WebHook' AND id > :id ORDER BY id LIMIT :limit",
    );
    this.#finish = prepare(
      db,
      'UPDATE delivery SET state = :state, attempts = attempts + 1, status = :status, error = :error, finishedAt = :finishedAt WHERE id = :id',
    );
    this.#settle = prepare(
      db,
      'UPDATE delivery SET state = :state, attempts = attempts + 1, error = NULL, finishedAt = :finishedAt WHERE id IN (SELECT value FROM json_each(:ids))',
    );
    this.#lose = prepare(
      db,
      "UPDATE delivery SET state = 'lost', error = :error, finishedAt = :finishedAt WHERE id IN (SELECT value FROM json_each(:ids)) AND state = 'pending'",
    );
    this.#loseAll = prepare(
      db,
      "UPDATE delivery SET state = 'lost', error = :error, finishedAt = :finishedAt WHERE subscriptionId = :subscriptionId AND state = 'pending'",
    );
    this.#drop = prepare(
      db,
      "DELETE FROM delivery WHERE subscriptionId = :subscriptionId AND state = 'pending'",
    );
    this.#byId = prepare<DeliveryRow>(db, 'SELECT * FROM delivery WHERE id = :id');
    this.#all = prepare<DeliveryRow>(db, 'SELECT * FROM delivery ORDER BY id');
  }

  /** Number of rows for webhooks that this process added: a cheap check for the worker. */
  get added(): number {
    return this.#added;
  }

  /** @returns the ID of the delivery. */
  add(delivery: NewDelivery): number {
    const { id } = this.#add.run({ ...delivery });
    if (delivery.transport === 'WebHook') this.#added += 1;
    return id;
  }

  pending(afterId: number, limit: number): readonly DeliveryRow[] {
    return this.#pending.all({ id: afterId, limit });
  }

  finish(id: number, result: Pick<DeliveryRow, 'state' | 'status' | 'error' | 'finishedAt'>): void {
    this.#finish.run({ id, ...result });
  }

  /** Records that notifications were sent over a WebSocket, or read from a hosted channel. */
  settle(ids: readonly number[], state: 'delivered' | 'recovered', finishedAt: number): void {
    this.#settle.run({ ids: JSON.stringify(ids), state, finishedAt });
  }

  /** Records that no client gets these notifications any more, unless they were sent before. */
  lose(ids: readonly number[], error: string, finishedAt: number): void {
    this.#lose.run({ ids: JSON.stringify(ids), error, finishedAt });
  }

  /** Records that no client gets the pending notifications of a subscription any more. */
  loseAll(subscriptionId: string, error: string, finishedAt: number): void {
    this.#loseAll.run({ subscriptionId, error, finishedAt });
  }

  /** Deletes the pending notifications of a webhook that ended. */
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
