import { setTimeout as delay } from 'node:timers/promises';
import type { DeliveryRow } from './delivery-store.ts';
import type { SubscriptionRow } from './store.ts';
import type { World } from '../world/world.ts';
import { shakeHands } from './handshake.ts';
import { createAgents, postToWebhook } from './post.ts';
import { noteDelivery, noteHandshake } from './webhook-health.ts';

/** Number of subscriptions that receive notifications at the same time. */
const concurrency = 32;
const batch = 256;

/**
 * Sends the notifications of the outbox: in order and one at a time for each subscription, to many subscriptions at the
 * same time. A row stays pending until the webhook has answered. If the sandbox is killed before that, the notification
 * is sent after the next start.
 */
export class Deliverer {
  readonly #world: World;
  readonly #agents = createAgents();
  readonly #queues = new Map<string, DeliveryRow[]>();
  readonly #active = new Set<string>();
  /** By subscription: functions that end the wait of a notification that a fault delays. */
  readonly #waiting = new Map<string, (isDue: boolean) => void>();
  readonly #idle: (() => void)[] = [];
  #seen = -1;
  #lastId = 0;
  #stopped = false;

  constructor(world: World) {
    this.#world = world;
  }

  /** Reads new rows of the outbox. This is cheap if there are no new rows. */
  wake(): void {
    if (this.#stopped || this.#world.deliveries.added === this.#seen) return;
    this.#seen = this.#world.deliveries.added;
    this.#load();
    this.#start();
  }

  /** Resolves when no delivery is pending. */
  settled(): Promise<void> {
    if (this.#queues.size === 0 && this.#active.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Reads the outbox again after the tables were replaced. */
  reset(): void {
    for (const queue of this.#queues.values()) queue.length = 0;
    for (const id of this.#waiting.keys()) this.#release(id, { isDue: false });
    this.#lastId = 0;
    this.#seen = -1;
    this.wake();
  }

  /** Stops the delivery. Pending notifications stay in the outbox. */
  stop(): void {
    this.#stopped = true;
    this.#queues.clear();
    for (const id of this.#waiting.keys()) this.#release(id, { isDue: false });
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
          this.#release(row.subscriptionId, { isDue: true });
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
      const { era } = this.#world;
      const longestWait = this.#world.faults.onReorder();
      if (longestWait !== undefined) {
        if (queue.length === 0 && !(await this.#waitForNext(subscriptionId, longestWait))) continue;
        const next = queue.shift();
        if (next) await this.#tryToDeliver(next, era);
      }
      await this.#tryToDeliver(row, era);
    }
    this.#active.delete(subscriptionId);
    this.#queues.delete(subscriptionId);
    if (this.#stopped) return;
    this.#start();
    if (this.#queues.size > 0 || this.#active.size > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  /**
   * Waits until the subscription has another notification, or until the time is over.
   * @returns false if the waiting notification must no longer be sent.
   */
  #waitForNext(subscriptionId: string, milliseconds: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#release(subscriptionId, { isDue: true }), milliseconds);
      timer.unref();
      this.#waiting.set(subscriptionId, (isDue) => {
        clearTimeout(timer);
        resolve(isDue);
      });
    });
  }

  #release(subscriptionId: string, { isDue }: { readonly isDue: boolean }): void {
    this.#waiting.get(subscriptionId)?.(isDue);
    this.#waiting.delete(subscriptionId);
  }

  /** A failure to store the result is an internal error of the sandbox. The notification stays in the outbox. */
  async #tryToDeliver(row: DeliveryRow, era: AbortSignal): Promise<void> {
    try {
      await this.#deliver(row, era);
    } catch (error) {
      if (!this.#stopped) this.#world.noteFailure(error);
    }
  }

  async #deliver(row: DeliveryRow, era: AbortSignal): Promise<void> {
    const subscription = this.#receiverOf(row, era);
    if (!subscription) return;
    // A row without payload is a handshake with a webhook that had failed.
    if (row.payload === '') {
      if (subscription.state === 'active') await this.#shakeHands(row, subscription, era);
      return;
    }
    if (subscription.status !== 'Active') return;
    const posts = await this.#postsDue(era);
    if (!this.#receiverOf(row, era)) return;
    const result =
      posts === 0 ? new Error('dropped by a fault') : await this.#postWithRetries(row, era, posts);
    if (!this.#receiverOf(row, era)) return;
    await this.#world.commit(() => {
      this.#finish(row.id, result);
      if (posts === 0) return;
      const current = this.#world.subscriptions.byId(row.subscriptionId);
      if (current?.state === 'active') noteDelivery(this.#world, current, failureOf(result));
    });
  }

  /**
   * Returns the subscription to which the notification must be sent. Undefined if it was sent, if the subscription was
   * deleted, or after a reset. An expired subscription still receives notifications of earlier changes.
   */
  #receiverOf(row: DeliveryRow, era: AbortSignal): SubscriptionRow | undefined {
    if (this.#stopped || era.aborted || this.#world.deliveries.byId(row.id)?.state !== 'pending')
      return undefined;
    return this.#world.subscriptions.byId(row.subscriptionId);
  }

  /**
   * Applies the active faults: waits for a delay, and returns the number of posts of the notification. 0 drops the
   * notification.
   */
  async #postsDue(era: AbortSignal): Promise<number> {
    let posts = 1;
    for (const fault of this.#world.faults.onDelivery()) {
      if (fault.kind === 'webhook-drop') return 0;
      // A reset ends the delay, so that it does not delay the notifications of new subscriptions.
      if (fault.kind === 'webhook-delay')
        await delay(fault.milliseconds ?? 1000, undefined, { ref: false, signal: era }).catch(
          () => undefined,
        );
      if (fault.kind === 'webhook-duplicate') posts = 2;
    }
    return posts;
  }

  async #postWithRetries(row: DeliveryRow, era: AbortSignal, posts: number): Promise<Result> {
    let result: Result = new Error('not sent');
    const most = posts + this.#world.settings.webhookRetries;
    for (let time = 0; time < most && (time < posts || failureOf(result)); time += 1) {
      const subscription = this.#receiverOf(row, era);
      if (!subscription) break;
      result = await this.#post(row, subscription, era);
    }
    return result;
  }

  #post(row: DeliveryRow, subscription: SubscriptionRow, era: AbortSignal): Promise<Result> {
    const { settings } = this.#world;
    const verification = subscription.verificationToken;
    return postToWebhook({
      address: subscription.address,
      headers: verification === null ? {} : { 'verification-token': verification },
      body: row.payload,
      timeoutMilliseconds: settings.webhookTimeoutMilliseconds,
      replyBytes: settings.webhookReplyBytes,
      agents: this.#agents,
      // A reset ends the post, so that no receiver gets events of the earlier content.
      signal: era,
    }).catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
  }

  async #shakeHands(row: DeliveryRow, subscription: SubscriptionRow, era: AbortSignal): Promise<void> {
    const result = await shakeHands(subscription.address, row.uuid, this.#world.settings, era).then(
      () => ({ status: 200 }),
      (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
    );
    if (!this.#receiverOf(row, era)) return;
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

/** Returns the reason why a delivery failed; undefined for success. */
function failureOf(result: Result): string | undefined {
  if (result instanceof Error) return result.message;
  return result.status === 200 ? undefined : `HTTP ${result.status}`;
}
