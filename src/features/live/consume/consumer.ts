import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../../../errors/command.ts';
import { NewerStoreError } from '../../../errors/newer-store.ts';
import { ownProcess } from '../../../platform/own-process.ts';
import { StoreError } from '../../../platform/store-error.ts';
import { inSpan } from '../../../platform/spans.ts';
import type { ClaimedEvent } from '../../../store/event-log.ts';
import type { PostgresEventLog } from '../log/postgres-event-log.ts';
import { textOf } from '../deliver/dispatcher.ts';
import { DeliveryError, type Target } from '../deliver/target.ts';
import { shownEvent, type ShownEvent } from '../notification/shown-event.ts';
import { StoredEvent, type Origin } from '../store/stored-event.ts';
import { LeaseRenewal, type Running } from './lease-renewal.ts';

/** The end of one attempt to process an event. */
export interface ConsumeEnd {
  readonly claimed: ClaimedEvent;
  readonly event: ShownEvent;
  /**
   * `skipped`: the target does not want the event, or an earlier event has its messages. `taken`: another process has
   * taken over. `released`: this process ends, or could not store the result, so a process repeats the attempt.
   */
  readonly result: 'done' | 'skipped' | 'retry' | 'dead' | 'taken' | 'released';
  readonly problem: string | undefined;
  readonly milliseconds: number;
}

export interface ConsumerSettings {
  readonly log: PostgresEventLog;
  readonly consumer: string;
  /** Name of this process. */
  readonly worker: string;
  readonly target: Target;
  /**
   * Maximum number of events that are processed at the same time. Each of them belongs to a different
   * extension.
   */
  readonly concurrency: number;
  readonly leaseMilliseconds: number;
  readonly maxAttempts: number;
  /** Whether to end when no event is due. */
  readonly once: boolean;
  /** Checks that this version knows the schema of the store. @throws {NewerStoreError} */
  readonly requireSchema?: () => Promise<void>;
  /** Whether an earlier event has the same messages. */
  readonly isRepeated: (claimed: ClaimedEvent, event: ShownEvent) => Promise<boolean>;
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  readonly onEnd: (end: ConsumeEnd) => void;
  /** Called with the first failure of the store, and with undefined when it works again. */
  readonly onStore: (problem: string | undefined) => void;
}

const idleMilliseconds = 500;
const storeRetryMilliseconds = 1000;
/** Milliseconds between two checks of the schema. */
const schemaCheckMilliseconds = 1000;
const firstRetryMilliseconds = 1000;
const longestRetryMilliseconds = 600_000;
/**
 * Milliseconds that events in progress have to finish when the process stops. After this time, they are
 * aborted.
 */
const drainMilliseconds = 5000;

/** Whether the store has the result of an attempt: `gone` if the event was finished or claimed by another process. */
type Settled = 'stored' | 'gone' | 'unstored';

type Ending = readonly [result: ConsumeEnd['result'], problem?: string | undefined];

/**
 * Delivers the events of a consumer to a target. Any number of processes share the events. The events of each
 * extension are delivered in order.
 */
export class EventConsumer {
  readonly #settings: ConsumerSettings;
  readonly #running = new Map<Running, Promise<void>>();
  #isStoreFailing = false;
  #schemaCheckedAt = Number.NEGATIVE_INFINITY;
  /** Aborted when the consumer stops. */
  #end: AbortSignal | undefined;
  /** Number of events whose processing has ended. */
  #ended = 0;
  #wake: () => void = () => undefined;

  constructor(settings: ConsumerSettings) {
    this.#settings = settings;
  }

  /**
   * Processes events until the signal aborts or, with `once`, until no event is due.
   * @throws the store's error if the first claim fails, and errors that do not come from the store.
   * @throws {NewerStoreError} if a newer version of ucctl has migrated the store.
   */
  async run(signal: AbortSignal): Promise<void> {
    this.#end = signal;
    const { log, leaseMilliseconds } = this.#settings;
    const leases = new LeaseRenewal({
      log,
      leaseMilliseconds,
      running: this.#running,
      onFailure: (error) => this.#reportStore(error),
    });
    try {
      for (let isFirst = true; !signal.aborted; isFirst = false) {
        const endedBefore = this.#ended;
        // The store counts the lease from the claim, not from its reply.
        const leaseUntil = ownProcess.monotonicMilliseconds() + leaseMilliseconds;
        const claimed = await this.#claim(isFirst);
        if (signal.aborted) {
          await this.#release(claimed);
          break;
        }
        for (const one of claimed) this.#start(one, leaseUntil);
        if (claimed.length > 0 && this.#running.size < this.#settings.concurrency) continue;
        // If an event ended during the claim, the next event of its extension may be due now.
        if (this.#ended !== endedBefore) continue;
        if (this.#settings.once && this.#running.size === 0 && (await this.#isDone())) return;
        await this.#idle(signal);
      }
    } finally {
      await this.#drain();
      await leases.end();
    }
  }

  async #claim(isFirst: boolean): Promise<readonly ClaimedEvent[]> {
    const { log, consumer, worker, leaseMilliseconds, concurrency } = this.#settings;
    const limit = concurrency - this.#running.size;
    if (limit <= 0) return [];
    try {
      await this.#requireSchema();
      const claimed = await log.claim(consumer, { worker, leaseMilliseconds, limit });
      this.#reportStore(undefined);
      return claimed;
    } catch (error) {
      if (isFirst || error instanceof NewerStoreError) throw error;
      this.#reportStore(error);
      return [];
    }
  }

  async #requireSchema(): Promise<void> {
    const now = ownProcess.monotonicMilliseconds();
    if (now - this.#schemaCheckedAt < schemaCheckMilliseconds) return;
    await this.#settings.requireSchema?.();
    this.#schemaCheckedAt = now;
  }

  /** Releases events of a claim that an interruption ended. If the store fails, other processes wait for the leases. */
  async #release(claimed: readonly ClaimedEvent[]): Promise<void> {
    await Promise.all(claimed.map((one) => this.#settings.log.release(one).catch(() => undefined)));
  }

  /** Whether no event is due, and no event waits for the end of an older transaction. */
  async #isDone(): Promise<boolean> {
    const { log, consumer } = this.#settings;
    const status = (await log.consumers()).find(({ name }) => name === consumer);
    return !status || status.behind === 0;
  }

  #reportStore(error: unknown): void {
    const isFailing = error !== undefined;
    if (isFailing !== this.#isStoreFailing) this.#settings.onStore(isFailing ? messageOf(error) : undefined);
    this.#isStoreFailing = isFailing;
  }

  /** Waits until an event is finished, or for a short time. */
  async #idle(signal: AbortSignal): Promise<void> {
    const stop = new AbortController();
    const end = (): void => stop.abort();
    this.#wake = end;
    signal.addEventListener('abort', end);
    const wait = this.#isStoreFailing ? storeRetryMilliseconds : idleMilliseconds;
    await this.#settings.sleep(wait, stop.signal).catch(() => undefined);
    signal.removeEventListener('abort', end);
  }

  #start(claimed: ClaimedEvent, leaseUntil: number): void {
    const running: Running = { claimed, stop: new AbortController(), leaseUntil, isTaken: false };
    const ended = this.#process(running).finally(() => {
      this.#running.delete(running);
      this.#ended += 1;
      this.#wake();
    });
    this.#running.set(running, ended);
  }

  async #process(running: Running): Promise<void> {
    const { claimed, stop } = running;
    const startedAt = ownProcess.monotonicMilliseconds();
    const stored = storedOf(claimed);
    const event = shownEvent(stored);
    const end = (result: ConsumeEnd['result'], problem?: string): void => {
      const milliseconds = Math.round(ownProcess.monotonicMilliseconds() - startedAt);
      this.#settings.onEnd({ claimed, event, result, problem, milliseconds });
    };
    const { target, consumer, isRepeated } = this.#settings;
    try {
      if (!target.accepts(event) || (await isRepeated(claimed, event))) {
        const settled = await this.#settle(running, () => this.#settings.log.finish(claimed));
        return end(...resultOf(running, settled, ['skipped']));
      }
      const facts = {
        consumer,
        delivery: String(claimed.id),
        fence: String(claimed.fence),
        attempt: String(claimed.attempt),
      };
      const attributes = {
        'messaging.message.id': claimed.key,
        'ucctl.consumer': consumer,
        'ucctl.extension.id': claimed.lane === '' ? undefined : claimed.lane,
        'ucctl.attempt': claimed.attempt,
      };
      await inSpan({ name: 'deliver event', kind: 'consumer', attributes }, () =>
        target.send({ ...event, key: stored.key }, textOf(event, stored), stop.signal, facts),
      );
    } catch (error) {
      return end(...(await this.#afterFailure(running, error)));
    }
    // The event is also finished if the program has called event_done.
    const settled = await this.#settle(running, () => this.#settings.log.finish(claimed));
    end(...resultOf(running, settled, ['done']));
  }

  async #afterFailure(running: Running, error: unknown): Promise<Ending> {
    const { log, maxAttempts } = this.#settings;
    const { claimed, stop } = running;
    const problem = messageOf(error);
    if (running.isTaken) return ['taken', problem];
    // A service manager may send its signal to the program too.
    if (stop.signal.aborted || (this.#end?.aborted && error instanceof DeliveryError && error.isTerminated)) {
      await this.#settle(running, () => log.release(claimed));
      return ['released', undefined];
    }
    // If the store fails before the delivery, the target has not seen the event.
    const isFinal =
      !(error instanceof StoreError) &&
      (claimed.attempt >= maxAttempts || (error instanceof DeliveryError && error.isPermanent));
    const delay = Math.min(longestRetryMilliseconds, firstRetryMilliseconds * 2 ** (claimed.attempt - 1));
    const settled = await this.#settle(running, () => log.fail(claimed, problem, isFinal ? 'dead' : delay));
    // A program may fail after it has called event_done.
    if (settled === 'gone') return [running.isTaken ? 'taken' : 'done', problem];
    return resultOf(running, settled, [isFinal ? 'dead' : 'retry', problem]);
  }

  /**
   * Stores the result of an attempt. While the store fails, retries until another process may have claimed
   * the event.
   */
  async #settle(running: Running, work: () => Promise<boolean>): Promise<Settled> {
    for (;;) {
      try {
        return (await work()) ? 'stored' : 'gone';
      } catch (error) {
        this.#reportStore(error);
        if (ownProcess.monotonicMilliseconds() >= running.leaseUntil || running.isTaken) return 'unstored';
        // After an interruption, `sleep` of the settings rejects immediately.
        await pause(idleMilliseconds, undefined, { signal: running.stop.signal }).catch(() => undefined);
        if (running.stop.signal.aborted) return 'unstored';
      }
    }
  }

  async #drain(): Promise<void> {
    const deadline = setTimeout(() => {
      for (const { stop } of this.#running.keys()) stop.abort();
    }, drainMilliseconds);
    await Promise.all(this.#running.values());
    clearTimeout(deadline);
  }
}

/** The end of an attempt: `result`, unless another process has taken over or the store does not have it. */
function resultOf({ isTaken }: Running, settled: Settled, result: Ending): Ending {
  if (isTaken) return ['taken', result[1]];
  return settled === 'unstored' ? ['released', 'the store has not recorded the result'] : result;
}

function storedOf({ id, receiver, key, receivedAt, origin, encrypted, raw }: ClaimedEvent): StoredEvent {
  const row = {
    id,
    receiver,
    key,
    receivedAt,
    origin: origin as Origin,
    encrypted: encrypted ? 1 : 0,
    raw,
  } as const;
  return new StoredEvent(row, undefined);
}
