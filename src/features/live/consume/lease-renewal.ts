import { setTimeout as pause } from 'node:timers/promises';
import { ownProcess } from '../../../platform/own-process.ts';
import type { ClaimedEvent, EventLog } from '../../../store/event-log.ts';

/** An event in progress. */
export interface Running {
  readonly claimed: ClaimedEvent;
  readonly stop: AbortController;
  /** Time until which no other process can claim the event, by the clock of this process. */
  leaseUntil: number;
  isTaken: boolean;
}

export interface LeaseSettings {
  readonly log: Pick<EventLog, 'extend'>;
  readonly leaseMilliseconds: number;
  /** The events in progress. */
  readonly running: ReadonlyMap<Running, unknown>;
  readonly onFailure: (error: unknown) => void;
}

/** Number of renewals within the duration of a lease. */
const renewalsPerLease = 4;

/** Extends the leases of events in progress, and stops an event that another process may claim. */
export class LeaseRenewal {
  readonly #settings: LeaseSettings;
  readonly #timer: NodeJS.Timeout;
  #renewing = Promise.resolve();

  /** Starts the renewals. Leases use real time, even if the run uses a test clock. */
  constructor(settings: LeaseSettings) {
    this.#settings = settings;
    this.#timer = setInterval(() => {
      this.#renewing = this.#renewing.then(() => this.#renew());
    }, settings.leaseMilliseconds / renewalsPerLease);
  }

  /** Ends the renewals, and resolves when the last one is over. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing;
  }

  async #renew(): Promise<void> {
    await Promise.all([...this.#settings.running.keys()].map((running) => this.#renewLease(running)));
  }

  async #renewLease(running: Running): Promise<void> {
    const { log, leaseMilliseconds, onFailure } = this.#settings;
    const startedAt = ownProcess.monotonicMilliseconds();
    const extended = log.extend(running.claimed, leaseMilliseconds).catch((error: unknown) => {
      onFailure(error);
      return undefined;
    });
    const isOwn = await this.#inTime(extended, running.leaseUntil - startedAt);
    if (isOwn) {
      running.leaseUntil = startedAt + leaseMilliseconds;
      return;
    }
    // A program that has called event_done has finished the event, but may still be running.
    const mayBeTaken = isOwn === undefined || this.#settings.running.has(running);
    if (mayBeTaken && ownProcess.monotonicMilliseconds() >= running.leaseUntil) take(running);
  }

  /**
   * Returns the reply of the store; undefined if there is none before the lease ends. After a stall of this process, the
   * lease has ended, and the store has a short time to reply.
   */
  async #inTime<T>(reply: Promise<T>, left: number): Promise<T | undefined> {
    const replied = new AbortController();
    const wait = Math.max(left, this.#settings.leaseMilliseconds / renewalsPerLease);
    const late = pause(wait, undefined, { signal: replied.signal }).catch(() => undefined);
    try {
      return await Promise.race([reply, late]);
    } finally {
      replied.abort();
    }
  }
}

function take(running: Running): void {
  running.isTaken = true;
  running.stop.abort();
}
