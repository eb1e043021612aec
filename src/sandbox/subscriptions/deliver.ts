import { setTimeout as delay } from 'node:timers/promises';
import type { DeliveryRow } from './delivery-store.ts';
import type { SubscriptionRow } from './store.ts';
import type { World } from '../world/world.ts';
import { shakeHands } from './handshake.ts';
import { createAgents, postToWebhook } from './post.ts';
import { noteDelivery, noteHandshake } from './webhook-health.ts';

/** Subscriptions that are served at the same time. */
const concurrency = 32;
const batch = 256;

/**
 * Sends what is in the outbox: one notification at a time to a subscription, in order, many subscriptions at once. A row stays pending
 * until the webhook has answered, so a killed sandbox sends it after its next start.
 */
export class Deliverer {
  readonly #world: World;
  readonly #agents = createAgents();
  readonly #queues = new Map<string, DeliveryRow[]>();
  readonly #active = new Set<string>();
  /** What a fault keeps back, by its subscription. */
  readonly #held = new Map<string, (isDue: boolean) => void>();
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
    for (const id of this.#held.keys()) this.#release(id, false);
    this.#lastId = 0;
    this.#seen = -1;
    this.wake();
  }

  /** Sends nothing more; what is pending stays in the outbox. */
  stop(): void {
    this.#stopped = true;
    this.#queues.clear();
    for (const id of this.#held.keys()) this.#release(id, false);
    this.#agents.http.destroy();
    this.#agents.https.destroy();
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #load(): void {
    let rows = this.#world.deliveries.pending(this.#lastId, batch);
    while (rows.length > 0) {
      for (const row of rows) {
        this.#lastId = row.id;
        const queue = this.#queues.get(row.subscriptionId);
        if (queue) {
          queue.push(row);
          this.#release(row.subscriptionId, true);
        } else this.#queues.set(row.subscriptionId, [row]);
      }
      rows = this.#world.deliveries.pending(this.#lastId, batch);
    }
  }

  #start(): void {
    for (const subscriptionId of this.#queues.keys()) {
      if (this.#active.size >= concurrency) return;
      if (this.#active.has(subscriptionId)) continue;
      this.#active.add(subscriptionId);
      void this.#drain(subscriptionId);
    }
  }

  async #drain(subscriptionId: string): Promise<void> {
    const queue = this.#queues.get(subscriptionId) ?? [];
    for (let row = queue.shift(); row && !this.#stopped; row = queue.shift()) {
      const hold = this.#world.faults.onReorder();
      if (hold !== undefined) {
        if (queue.length === 0 && !(await this.#hold(subscriptionId, hold))) continue;
        const next = queue.shift();
        if (next) await this.#deliver(next);
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

  /** Waits until another row of the subscription is there, at most so long. False: what was held is no longer to be sent. */
  #hold(subscriptionId: string, milliseconds: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#release(subscriptionId, true), milliseconds);
      timer.unref();
      this.#held.set(subscriptionId, (isDue) => {
        clearTimeout(timer);
        resolve(isDue);
      });
    });
  }

  #release(subscriptionId: string, isDue: boolean): void {
    this.#held.get(subscriptionId)?.(isDue);
    this.#held.delete(subscriptionId);
  }

  async #deliver(row: DeliveryRow): Promise<void> {
    const subscription = this.#world.subscriptions.byId(row.subscriptionId);
    // It was deleted. One that has expired still gets what happened before.
    if (!subscription) return;
    // A row without payload asks a webhook that was given up whether it is back.
    if (row.payload === '') {
      if (subscription.state === 'active') await this.#ask(row, subscription);
      return;
    }
    if (subscription.status !== 'Active') return;
    const faults = this.#world.faults.onDelivery();
    for (const fault of faults) {
      if (fault.kind === 'webhook-drop') {
        await this.#world.commit(() => this.#finish(row.id, new Error('dropped by a fault')));
        return;
      }
      if (fault.kind === 'webhook-delay') await delay(fault.milliseconds ?? 1000, undefined, { ref: false });
    }
    const times = faults.some(({ kind }) => kind === 'webhook-duplicate') ? 2 : 1;
    let result: Result = new Error('not sent');
    for (let time = 0; time < times; time += 1) result = await this.#post(row, subscription);
    for (let left = this.#world.settings.webhookRetries; left > 0 && failureOf(result); left -= 1) {
      if (this.#stopped) return;
      result = await this.#post(row, subscription);
    }
    if (this.#stopped || this.#world.deliveries.byId(row.id)?.state !== 'pending') return;
    await this.#world.commit(() => {
      this.#finish(row.id, result);
      const current = this.#world.subscriptions.byId(row.subscriptionId);
      if (current?.state === 'active') noteDelivery(this.#world, current, failureOf(result));
    });
  }

  #post(row: DeliveryRow, subscription: SubscriptionRow): Promise<Result> {
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

  async #ask(row: DeliveryRow, subscription: SubscriptionRow): Promise<void> {
    const result = await shakeHands(subscription.address, row.uuid, this.#world.settings).then(
      () => ({ status: 200 }),
      (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
    );
    if (this.#stopped || this.#world.deliveries.byId(row.id)?.state !== 'pending') return;
    await this.#world.commit(() => {
      this.#finish(row.id, result);
      noteHandshake(this.#world, subscription, !failureOf(result));
    });
  }

  #finish(id: number, result: Result): void {
    const state = failureOf(result) === undefined ? 'delivered' : 'failed';
    this.#world.metrics.count('deliveries', state);
    this.#world.deliveries.finish(id, {
      state,
      status: result instanceof Error ? null : result.status,
      error: result instanceof Error ? result.message : null,
      finishedAt: this.#world.clock.now(),
    });
  }
}

type Result = Error | { readonly status: number };

/** Why a notification does not count as delivered. */
function failureOf(result: Result): string | undefined {
  if (result instanceof Error) return result.message;
  return result.status === 200 ? undefined : `HTTP ${result.status}`;
}
