import { ownProcess } from '../../../platform/own-process.ts';
import { waitAtMost } from '../../../platform/time-limit.ts';
import type { ClaimedEvent } from '../../../store/event-log.ts';
import type { PostgresEventLog } from '../log/postgres-event-log.ts';

/** An event in progress. */
export interface Running {
  readonly claimed: ClaimedEvent;
  readonly stop: AbortController;
  /** Time until which no other process can claim the event, by the clock of this process. */
  leaseUntil: number;
  isTaken: boolean;
}

export interface LeaseSettings {
  readonly log: Pick<PostgresEventLog, 'extend'>;
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
    // Undefined without a reply before the lease ends. After a stall of this process, the lease has ended, and the store
    // has a short time to reply.
    const wait = Math.max(running.leaseUntil - startedAt, leaseMilliseconds / renewalsPerLease);
    const isOwn = await waitAtMost(wait, extended).catch(() => undefined);
    if (isOwn) {
      running.leaseUntil = startedAt + leaseMilliseconds;
      return;
    }
    // A program that has called event_done has finished the event, but may still be running.
    const mayBeTaken = isOwn === undefined || this.#settings.running.has(running);
    if (mayBeTaken && ownProcess.monotonicMilliseconds() >= running.leaseUntil) take(running);
  }
}

function take(running: Running): void {
  running.isTaken = true;
  running.stop.abort();
}
