import { setMaxListeners } from 'node:events';
import { isOfDatabase } from '../../../platform/database-error.ts';
import { messageOf } from '../../../errors/command.ts';
import type { Deliveries, Delivery } from '../store/deliveries.ts';
import { laneOf } from '../log/lane.ts';
import type { Inbox } from '../store/inbox.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import { shownEvent, type ShownEvent } from '../notification/shown-event.ts';
import { redelivery } from '../store/attempts.ts';
import { LongWaits, type LongWait } from './long-waits.ts';
import { beginAttempt } from './redelivery.ts';
import { pendingDeliveries, type PendingDeliveries } from './pending-deliveries.ts';
import { DeliveryError, type Target } from './target.ts';
import { WaitingLane } from './waiting-lane.ts';

export interface DispatcherSettings {
  readonly inbox: Inbox;
  readonly receiver: string;
  readonly targets: readonly Target[];
  /** Whether an event is delivered to any target. */
  wanted(event: ShownEvent, stored: StoredEvent): boolean;
  readonly keys: () => readonly string[];
  /** Describes an event for the targets that use the description. */
  readonly detailsOf?: ((eventId: number, event: ShownEvent) => Promise<string>) | undefined;
  now(): number;
  /** Waits for this time; rejects when the signal aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Called with each delivery that became a dead letter. */
  readonly onDead: (delivery: Delivery) => void;
  /** Called with the first failure of a target after a success. */
  readonly onProblem: (delivery: Delivery) => void;
  /** Called with the first success of a target after a failure. */
  readonly onRecovered: (delivery: Delivery) => void;
  /** Called once for each process whose redelivery of dead letters takes long. */
  readonly onWait: (wait: LongWait) => void;
  /** Called with the first failure in a row to store the state of deliveries. */
  readonly onStoreFailure: (error: unknown) => void;
  /** Called with an error that stops a lane, such as an unreadable inbox. */
  readonly onFailure: (error: unknown) => void;
}

/** Returns the name of the cursor that marks how far the events of a receiver have been passed to its targets. */
export function dispatchCursor(receiver: string): string {
  return `${receiver}:dispatch`;
}

/** Maximum number of attempts. The delays between them double: 1, 2, 4, 8 and 16 s. */
const maxAttempts = 6;
const firstDelay = 1000;
const maxDelay = firstDelay * 2 ** (maxAttempts - 2);
/** Milliseconds before a failed write to the store is retried. */
const storeRetryDelay = 1000;
/** Milliseconds before an attempt that waits for a redelivery of dead letters checks again. */
const redeliveryDelay = 100;
/**
 * Maximum number of lanes of one target that deliver at the same time. Each target has its own limit, because the lanes
 * of a target that does not reply occupy their places for a long time.
 */
const maxLanes = 16;

/** The deliveries of one target, by the ID of their extension. */
interface TargetLanes {
  readonly waiting: Map<string, WaitingLane>;
  readonly active: Map<string, Promise<void>>;
}

/**
 * Delivers events to targets, at least once, and in order for each target and extension (a lane). Events that are
 * undelivered when a run ends are delivered by the next run. After the last failed attempt an event becomes a dead
 * letter, and the next event is delivered.
 */
export class Dispatcher {
  readonly #settings: DispatcherSettings;
  readonly #deliveries: Deliveries;
  readonly #targets: ReadonlyMap<string, Target>;
  readonly #lanes = new Map<string, TargetLanes>();
  /** Targets whose last delivery failed. */
  readonly #failing = new Set<string>();
  readonly #waits: LongWaits;
  #isStoreFailing = false;
  #pending: PendingDeliveries | undefined;
  /** Aborts requests in progress. */
  readonly #stop = new AbortController();
  /** Aborts the delays before retries, so that no delivery is retried. */
  readonly #noRetries = new AbortController();
  /** Aborts when failed writes to the store are no longer retried. */
  #noStoreRetries: AbortSignal = this.#noRetries.signal;

  constructor(settings: DispatcherSettings) {
    this.#settings = settings;
    this.#deliveries = settings.inbox.deliveries;
    this.#waits = new LongWaits(settings.inbox, settings.onWait);
    this.#targets = new Map(settings.targets.map((target) => [target.name, target]));
    // The lanes of all targets wait for the same signals.
    setMaxListeners(0, this.#stop.signal, this.#noRetries.signal);
  }

  /**
   * Resumes the deliveries of previous runs, then follows the inbox until the signal aborts and every accepted event
   * is queued.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { inbox, receiver } = this.#settings;
    this.#noStoreRetries = AbortSignal.any([this.#noRetries.signal, signal]);
    setMaxListeners(0, this.#noStoreRetries);
    // A killed run of this receiver may have left its attempts in progress.
    await this.#store(() => inbox.attempts.endAll(receiver));
    this.#pending = await pendingDeliveries(inbox, receiver, this.#targets.keys(), (delivery) =>
      this.#queue(delivery),
    );
    this.#start();
    for await (const stored of inbox.read(receiver, dispatchCursor(receiver), signal))
      if (!(await this.#deliver(stored))) return;
  }

  /**
   * Waits at most `milliseconds` for queued deliveries, with retries only if `retries` is true. Returns the number of
   * deliveries left for the next run.
   */
  async close(milliseconds: number, retries: boolean): Promise<number> {
    const deadline = setTimeout(() => this.#stop.abort(), milliseconds);
    if (!retries) this.#noRetries.abort();
    for (
      let active = this.#active();
      active.length > 0 && !this.#stop.signal.aborted;
      active = this.#active()
    )
      await Promise.race(active);
    clearTimeout(deadline);
    this.#noRetries.abort();
    this.#stop.abort();
    await Promise.all(this.#active());
    this.#pending?.release();
    const waiting = [...this.#lanes.values()].flatMap((lanes) => Array.from(lanes.waiting.values()));
    return waiting.reduce((sum, lane) => sum + lane.size, 0);
  }

  #active(): readonly Promise<void>[] {
    return [...this.#lanes.values()].flatMap(({ active }) => Array.from(active.values()));
  }

  /** Queues an event for its targets. Returns false if the dispatcher ended first. */
  async #deliver(stored: StoredEvent): Promise<boolean> {
    const event = shownEvent(stored, this.#settings.keys());
    if (!this.#settings.wanted(event, stored)) return true;
    const lane = laneOf(event);
    for (const target of this.#targets.values()) {
      if (!target.accepts(event)) continue;
      const isStored = await this.#store(() => {
        const delivery = this.#deliveries.add(stored.id, target.name, lane, this.#settings.now());
        if (delivery) this.#queue(delivery);
      });
      if (!isStored) return false;
    }
    this.#start();
    return true;
  }

  /**
   * Repeats a write to the store until it succeeds, because a full disk must not end the run. Returns false if the
   * dispatcher ended first.
   */
  async #store(work: () => void): Promise<boolean> {
    for (;;) {
      try {
        work();
        this.#isStoreFailing = false;
        return true;
      } catch (error) {
        // Only database errors are retried; a retry does not help against a bug.
        if (!isOfDatabase(error)) throw error;
        if (!this.#isStoreFailing) this.#settings.onStoreFailure(error);
        this.#isStoreFailing = true;
        await this.#settings.sleep(storeRetryDelay, this.#noStoreRetries).catch(() => undefined);
        if (this.#noStoreRetries.aborted) return false;
      }
    }
  }

  #queue(delivery: Delivery): void {
    const { target, lane } = delivery;
    const lanes = this.#lanes.get(target) ?? { waiting: new Map(), active: new Map() };
    this.#lanes.set(target, lanes);
    const waiting = lanes.waiting.get(lane) ?? new WaitingLane();
    lanes.waiting.set(lane, waiting);
    waiting.add(delivery);
  }

  #start(): void {
    for (const [target, lanes] of this.#lanes) this.#startTarget(target, lanes);
  }

  #startTarget(target: string, lanes: TargetLanes): void {
    const { waiting, active } = lanes;
    for (const [name, lane] of waiting) {
      if (active.size >= maxLanes) return;
      if (active.has(name)) continue;
      const draining = this.#drain(target, name, lane).catch((error: unknown) => {
        active.delete(name);
        this.#settings.onFailure(error);
      });
      active.set(name, draining);
    }
  }

  async #drain(target: string, name: string, lane: WaitingLane): Promise<void> {
    const { deliveries } = lane;
    for (let next = deliveries[0]; next && (await this.#deliverUntilSettled(next)); next = deliveries[0]) {
      deliveries.shift();
      lane.readMore(
        (after) => this.#deliveries.pendingInLane({ target, lane: name }, after),
        (delivery) => this.#pending?.includes(delivery) ?? false,
      );
    }
    const lanes = this.#lanes.get(target);
    lanes?.active.delete(name);
    if (!lanes || deliveries.length > 0) return;
    lanes.waiting.delete(name);
    this.#startTarget(target, lanes);
  }

  /** Attempts a delivery until it succeeds or becomes a dead letter. Returns false if the dispatcher ended first. */
  async #deliverUntilSettled(first: Delivery): Promise<boolean> {
    let delivery = first;
    while (delivery.state === 'pending') {
      // The wait is limited to the maximum delay, because the clock may have been set back.
      const wait = Math.min(delivery.nextAt - this.#settings.now(), maxDelay);
      if (wait > 0) await this.#settings.sleep(wait, this.#noRetries.signal).catch(() => undefined);
      if (this.#stop.signal.aborted || (wait > 0 && this.#noRetries.signal.aborted)) return false;
      const attempted = await this.#attemptInLane(delivery);
      if (!attempted) return false;
      delivery = attempted;
      this.#report(delivery);
    }
    if (delivery.state === 'dead') this.#settings.onDead(delivery);
    return true;
  }

  #report(delivery: Delivery): void {
    const { target, state } = delivery;
    if (state === 'pending' && !this.#failing.has(target)) {
      this.#failing.add(target);
      this.#settings.onProblem(delivery);
    }
    if (state === 'done' && this.#failing.delete(target)) this.#settings.onRecovered(delivery);
  }

  /** Attempts a delivery when no dead letter of its lane is redelivered. Undefined if the dispatcher ended first. */
  async #attemptInLane(delivery: Delivery): Promise<Delivery | undefined> {
    const { inbox, receiver } = this.#settings;
    if (!(await this.#begin(delivery))) return undefined;
    const attempted = await this.#attempt(delivery);
    const isStored = await this.#store(() => {
      if (attempted) this.#deliveries.save(attempted);
      inbox.attempts.end(delivery, receiver);
    });
    return isStored ? attempted : undefined;
  }

  async #begin(delivery: Delivery): Promise<boolean> {
    const { inbox, receiver } = this.#settings;
    const waitFor = this.#waits.start(delivery.target);
    for (;;) {
      let hasBegun = false;
      const isStored = await this.#store(() => {
        hasBegun = beginAttempt(inbox, delivery, receiver);
      });
      if (!isStored || hasBegun) return isStored;
      waitFor(redelivery);
      await this.#settings.sleep(redeliveryDelay, this.#noRetries.signal).catch(() => undefined);
      if (this.#noRetries.signal.aborted || this.#stop.signal.aborted) return false;
    }
  }

  async #attempt(delivery: Delivery): Promise<Delivery | undefined> {
    const { inbox, keys, detailsOf } = this.#settings;
    const target = this.#targets.get(delivery.target);
    const [stored] = inbox.byId(delivery.eventId);
    if (!target || !stored) return { ...delivery, state: 'dead', problem: 'the event has been deleted' };
    const event = shownEvent(stored, keys());
    const attempts = delivery.attempts + 1;
    const start = performance.now();
    const elapsed = (): number => Math.round(performance.now() - start);
    try {
      const details = target.usesDetails ? await detailsOf?.(stored.id, event) : undefined;
      const delivered = { ...event, key: stored.key, ...(details !== undefined && { details }) };
      await target.send(delivered, textOf(event, stored), this.#stop.signal);
      return { ...delivery, state: 'done', attempts, problem: null, milliseconds: elapsed() };
    } catch (error) {
      if (this.#stop.signal.aborted) return undefined;
      const problem = messageOf(error);
      const isFinal = attempts >= maxAttempts || (error instanceof DeliveryError && error.isPermanent);
      const nextAt = this.#settings.now() + firstDelay * 2 ** (attempts - 1);
      return {
        ...delivery,
        state: isFinal ? 'dead' : 'pending',
        attempts,
        nextAt,
        problem,
        milliseconds: elapsed(),
      };
    }
  }
}

/** Returns the notification in received form, or decrypted. */
export function textOf(event: ShownEvent, stored: StoredEvent): string {
  return stored.encrypted && event.encryptedBody === undefined ? JSON.stringify(event) : stored.raw;
}
