import { isOfDatabase } from '../../../platform/database-error.ts';
import { messageOf } from '../../../errors/command.ts';
import type { Delivery } from '../store/deliveries.ts';
import { eventSubject } from '../notification/describe.ts';
import type { DeliveryStore, EventStore } from '../store/event-store.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import { shownEvent, type ShownEvent } from '../notification/shown-event.ts';
import { DeliveryProblem, type Target } from './target.ts';

export interface DispatcherSettings {
  readonly inbox: EventStore;
  readonly receiver: string;
  readonly targets: readonly Target[];
  /** Whether an event is delivered at all. */
  wanted(event: ShownEvent, stored: StoredEvent): boolean;
  readonly keys: () => readonly string[];
  now(): number;
  /** Waits; rejects when the signal aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Called with each delivery that was given up. */
  readonly onDead: (delivery: Delivery) => void;
  /** Called when a target begins to fail, once until it has taken an event again. */
  readonly onProblem: (delivery: Delivery) => void;
  /** Called when a target that failed has taken an event. */
  readonly onRecovered: (delivery: Delivery) => void;
  /** Called with the first failure in a row to record the state of deliveries. */
  readonly onUnwritten: (error: unknown) => void;
  /** Called with what ended a lane before its time, such as an inbox that cannot be read. */
  readonly onFailure: (error: unknown) => void;
}

/** Name of the cursor that marks how far the events of a receiver have been passed to its targets. */
export function dispatchCursor(receiver: string): string {
  return `${receiver}:dispatch`;
}

/** Tries in all; the waits between them double from the first: 1, 2, 4, 8 and 16 s. */
const mostAttempts = 6;
const firstWait = 1000;
const longestWait = firstWait * 2 ** (mostAttempts - 2);
/** Before deliveries that could not be written down are written again. */
const writeAgain = 1000;
/** Lanes under way at the same time. */
const mostLanes = 16;

/**
 * Delivers events to targets, each target in order for one extension, at least once: an event counts as delivered when the target has taken
 * it, and what has not been taken at the end is taken up by the next run. A target that fails for long gets no more than its tries; then the
 * event is a dead letter and the next one follows.
 */
export class Dispatcher {
  readonly #settings: DispatcherSettings;
  readonly #deliveries: DeliveryStore;
  readonly #targets: ReadonlyMap<string, Target>;
  readonly #lanes = new Map<string, Delivery[]>();
  readonly #active = new Map<string, Promise<void>>();
  /** Targets that failed the last time. */
  readonly #failing = new Set<string>();
  #isUnwritten = false;
  /** Ends everything. */
  readonly #stop = new AbortController();
  /** Ends the waits before another try. */
  readonly #rest = new AbortController();
  /** Nothing more is waited for to be written. */
  #over: AbortSignal = this.#rest.signal;

  constructor(settings: DispatcherSettings) {
    this.#settings = settings;
    this.#deliveries = settings.inbox.deliveries;
    this.#targets = new Map(settings.targets.map((target) => [target.name, target]));
  }

  /** Takes up what a run before has left, then follows the inbox until the signal aborts and everything accepted is under way. */
  async run(signal: AbortSignal): Promise<void> {
    const { inbox, receiver } = this.#settings;
    this.#over = AbortSignal.any([this.#rest.signal, signal]);
    for (const delivery of this.#deliveries.in('pending')) {
      if (this.#targets.has(delivery.target)) this.#queue(delivery);
    }
    this.#start();
    for await (const stored of inbox.read(receiver, dispatchCursor(receiver), signal))
      if (!(await this.#spread(stored))) return;
  }

  /**
   * Lets what is under way finish for at most so long, with waits between tries only if `retries`. Answers how many deliveries stay for the
   * next run.
   */
  async close(milliseconds: number, retries: boolean): Promise<number> {
    const cut = setTimeout(() => this.#stop.abort(), milliseconds);
    if (!retries) this.#rest.abort();
    while (this.#active.size > 0 && !this.#stop.signal.aborted) await Promise.race(this.#active.values());
    clearTimeout(cut);
    this.#rest.abort();
    this.#stop.abort();
    await Promise.all(this.#active.values());
    return [...this.#lanes.values()].reduce((sum, lane) => sum + lane.length, 0);
  }

  /** False when the dispatcher ended before the event was on its way. */
  async #spread(stored: StoredEvent): Promise<boolean> {
    const event = shownEvent(stored, this.#settings.keys());
    if (!this.#settings.wanted(event, stored)) return true;
    const lane = laneOf(event);
    for (const target of this.#targets.values()) {
      if (!target.accepts(event)) continue;
      const isWritten = await this.#write(() => {
        const delivery = this.#deliveries.add(stored.id, target.name, lane, this.#settings.now());
        if (delivery) this.#queue(delivery);
      });
      if (!isWritten) return false;
    }
    this.#start();
    return true;
  }

  /** Writes until the disk takes it: a full one must not end what goes on arriving. False when the dispatcher ended before. */
  async #write(work: () => void): Promise<boolean> {
    for (;;) {
      try {
        work();
        this.#isUnwritten = false;
        return true;
      } catch (error) {
        // Another try would not mend a fault of ours.
        if (!isOfDatabase(error)) throw error;
        if (!this.#isUnwritten) this.#settings.onUnwritten(error);
        this.#isUnwritten = true;
        await this.#settings.sleep(writeAgain, this.#over).catch(() => undefined);
        if (this.#over.aborted) return false;
      }
    }
  }

  #queue(delivery: Delivery): void {
    const key = `${delivery.target}\n${delivery.lane}`;
    const lane = this.#lanes.get(key);
    if (lane) lane.push(delivery);
    else this.#lanes.set(key, [delivery]);
  }

  #start(): void {
    for (const [key, lane] of this.#lanes) {
      if (this.#active.size >= mostLanes) return;
      if (this.#active.has(key)) continue;
      const draining = this.#drain(key, lane).catch((error: unknown) => {
        this.#active.delete(key);
        this.#settings.onFailure(error);
      });
      this.#active.set(key, draining);
    }
  }

  async #drain(key: string, lane: Delivery[]): Promise<void> {
    for (let next = lane[0]; next && (await this.#settle(next)); next = lane[0]) lane.shift();
    this.#active.delete(key);
    if (lane.length > 0) return;
    this.#lanes.delete(key);
    this.#start();
  }

  /** Tries until it is done or dead. False when the dispatcher ended before. */
  async #settle(first: Delivery): Promise<boolean> {
    let delivery = first;
    while (delivery.state === 'pending') {
      // No more, where the clock was put back meanwhile.
      const wait = Math.min(delivery.nextAt - this.#settings.now(), longestWait);
      if (wait > 0) await this.#settings.sleep(wait, this.#rest.signal).catch(() => undefined);
      if (this.#stop.signal.aborted || (wait > 0 && this.#rest.signal.aborted)) return false;
      const tried = await this.#attempt(delivery);
      if (!tried) return false;
      delivery = tried;
      const settled = tried;
      if (!(await this.#write(() => this.#deliveries.save(settled)))) return false;
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

  async #attempt(delivery: Delivery): Promise<Delivery | undefined> {
    const { inbox, keys } = this.#settings;
    const target = this.#targets.get(delivery.target);
    const [stored] = inbox.byId(delivery.eventId);
    if (!target || !stored) return { ...delivery, state: 'dead', problem: 'the event is gone' };
    const event = shownEvent(stored, keys());
    const attempts = delivery.attempts + 1;
    const start = performance.now();
    const took = (): number => Math.round(performance.now() - start);
    try {
      await target.send(event, textOf(event, stored), this.#stop.signal);
      return { ...delivery, state: 'done', attempts, problem: null, milliseconds: took() };
    } catch (error) {
      if (this.#stop.signal.aborted) return undefined;
      const problem = messageOf(error);
      const over = attempts >= mostAttempts || (error instanceof DeliveryProblem && error.final);
      const nextAt = this.#settings.now() + firstWait * 2 ** (attempts - 1);
      return {
        ...delivery,
        state: over ? 'dead' : 'pending',
        attempts,
        nextAt,
        problem,
        milliseconds: took(),
      };
    }
  }
}

/** The notification as it came, or as it was decoded. */
export function textOf(event: ShownEvent, stored: StoredEvent): string {
  return stored.sealed && event.sealed === undefined ? JSON.stringify(event) : stored.raw;
}

function laneOf(event: ShownEvent): string {
  const id = event.body?.['extensionId'];
  return typeof id === 'string' || typeof id === 'number'
    ? String(id)
    : (eventSubject(event.event).extensionId ?? '');
}
