import { setTimeout as delay } from 'node:timers/promises';
import type { DeliveryRow } from '../store/deliveries.ts';
import type { SubscriptionRow } from '../store/subscriptions.ts';
import type { World } from '../world.ts';
import { createAgents, postToWebhook } from './post.ts';

/** Subscriptions that are served at the same time. */
const CONCURRENCY = 32;
const BATCH = 256;

/**
 * Sends what is in the outbox: one notification at a time to a subscription, in order, many subscriptions at once. A row stays pending
 * until the webhook has answered, so a killed sandbox sends it after its next start.
 */
export class Deliverer {
  readonly #world: World;
  readonly #agents = createAgents();
  readonly #queues = new Map<string, DeliveryRow[]>();
  readonly #active = new Set<string>();
  readonly #idle: (() => void)[] = [];
  #seen = -1;
  #lastId = 0;
  #stopped = false;

  constructor(world: World) {
    this.#world = world;
  }

  /** Looks for new rows; cheap when there are none. */
  wake(): void {
    if (this.#stopped || this.#world.deliveries.added === this.#seen) return;
    this.#seen = this.#world.deliveries.added;
    this.#load();
    this.#start();
  }

  /** Resolves when nothing is pending. */
  settled(): Promise<void> {
    if (this.#queues.size === 0 && this.#active.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Forgets what was read from the outbox, after the tables were replaced, and reads it anew. */
  reset(): void {
    for (const queue of this.#queues.values()) queue.length = 0;
    this.#lastId = 0;
    this.#seen = -1;
    this.wake();
  }

  /** Sends nothing more; what is pending stays in the outbox. */
  stop(): void {
    this.#stopped = true;
    this.#queues.clear();
    this.#agents.http.destroy();
    this.#agents.https.destroy();
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #load(): void {
    let rows = this.#world.deliveries.pending(this.#lastId, BATCH);
    while (rows.length > 0) {
      for (const row of rows) {
        this.#lastId = row.id;
        const queue = this.#queues.get(row.subscriptionId);
        if (queue) queue.push(row);
        else this.#queues.set(row.subscriptionId, [row]);
      }
      rows = this.#world.deliveries.pending(this.#lastId, BATCH);
    }
  }

  #start(): void {
    for (const subscriptionId of this.#queues.keys()) {
      if (this.#active.size >= CONCURRENCY) return;
      if (this.#active.has(subscriptionId)) continue;
      this.#active.add(subscriptionId);
      void this.#drain(subscriptionId);
    }
  }

  async #drain(subscriptionId: string): Promise<void> {
    const queue = this.#queues.get(subscriptionId) ?? [];
    for (let row = queue.shift(); row && !this.#stopped; row = queue.shift()) {
      if (this.#world.faults.onReorder(queue.length)) {
        // What comes next overtakes it.
        queue.splice(1, 0, row);
        continue;
      }
      await this.#deliver(row);
    }
    this.#active.delete(subscriptionId);
    this.#queues.delete(subscriptionId);
    if (this.#stopped) return;
    this.#start();
    if (this.#queues.size > 0 || this.#active.size > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  async #deliver(row: DeliveryRow): Promise<void> {
    const subscription = this.#world.subscriptions.byId(row.subscriptionId);
    if (subscription?.state !== 'active') return;
    const faults = this.#world.faults.onDelivery();
    for (const fault of faults) {
      if (fault.kind === 'webhook-drop') {
        await this.#world.commit(() => this.#finish(row.id, new Error('dropped by a fault')));
        return;
      }
      if (fault.kind === 'webhook-delay') await delay(fault.milliseconds ?? 1000, undefined, { ref: false });
    }
    const times = faults.some(({ kind }) => kind === 'webhook-duplicate') ? 2 : 1;
    let result: Error | { readonly status: number } = new Error('not sent');
    for (let time = 0; time < times; time += 1) result = await this.#post(row, subscription);
    if (this.#stopped || this.#world.deliveries.byId(row.id)?.state !== 'pending') return;
    await this.#world.commit(() => this.#finish(row.id, result));
  }

  #post(row: DeliveryRow, subscription: SubscriptionRow): Promise<Error | { readonly status: number }> {
    const { settings } = this.#world;
    const verification = subscription.verificationToken;
    return postToWebhook({
      address: subscription.address,
      headers: verification === null ? {} : { 'verification-token': verification },
      body: row.payload,
      timeoutMilliseconds: settings.webhookTimeoutMilliseconds,
      replyBytes: settings.webhookReplyBytes,
      agents: this.#agents,
    }).catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
  }

  #finish(id: number, result: Error | { readonly status: number }): void {
    const finishedAt = this.#world.clock.now();
    const done =
      result instanceof Error
        ? { state: 'failed' as const, status: null, error: result.message }
        : { state: stateOf(result.status), status: result.status, error: null };
    this.#world.metrics.count('deliveries', done.state);
    this.#world.deliveries.finish(id, { ...done, finishedAt });
  }
}

function stateOf(status: number): 'delivered' | 'failed' {
  return status === 200 ? 'delivered' : 'failed';
}
