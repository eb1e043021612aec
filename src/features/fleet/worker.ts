import { messageOf } from '../../errors/command.ts';
import { ownProcess } from '../../platform/own-process.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { FleetSession } from '../../runtime/fleet-session.ts';
import { afterFailure, type Failure } from './after-failure.ts';
import { reportSession } from './sessions.ts';
import { ServiceCheck } from './service-check.ts';
import { FencedError, Released, StalledError, UnreachableError } from './task-errors.ts';
import {
  claim,
  countFenced,
  failTask,
  finishTask,
  guardOf,
  releaseTask,
  renewLeases,
  type ClaimedTask,
  type TaskKind,
} from './tasks.ts';
import { reportAlive, reportEnd, type WorkerFacts } from './workers.ts';

/** The values for one attempt of a task. */
export interface TaskWork {
  readonly session: FleetSession;
  /** Aborted when the worker no longer has the task, or ends. */
  readonly signal: AbortSignal;
  /** Called when data arrives. Without data for too long, the attempt is ended. */
  readonly progress: () => void;
  /** Called first in each transaction that stores data. @throws {FencedError} */
  readonly guard: ReturnType<typeof guardOf>;
}

/** How an attempt of a task ended. */
export interface TaskEnd {
  readonly task: ClaimedTask;
  readonly session: string;
  readonly result: 'done' | 'retry' | 'failed' | 'fenced' | 'released';
  readonly milliseconds: number;
  /** What the task reports about its work; undefined unless it is done. */
  readonly report: object | undefined;
  readonly problem: string | undefined;
}

export interface FleetWorkerSettings {
  readonly db: Postgres;
  readonly facts: WorkerFacts;
  readonly kinds: readonly TaskKind[];
  readonly sessions: readonly FleetSession[];
  readonly leaseMilliseconds: number;
  /** Whether to end when no task is due or runs. */
  readonly once: boolean;
  /** Executes one attempt. @returns the report about the attempt. */
  run(task: ClaimedTask, work: TaskWork): Promise<object>;
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  onEnd(end: TaskEnd): void;
  /** Called when the rate budget of a sign-in does not allow a claim. */
  onLimited?(kind: TaskKind, profile: string): void;
  /** Called with the first failure in a row to reach the store, and with undefined when it works again. */
  onStore(problem: string | undefined): void;
  /** Called when the service does not reply to the worker, so that it claims no tasks, and when the service replies again. */
  readonly onService: (isReachable: boolean) => void;
  /** Called with the reason why a sign-in cannot be used any more. */
  onSession(profile: string, problem: string): void;
  /** Milliseconds of a monotonic clock; default: of this process. */
  readonly monotonic?: () => number;
}

/** Milliseconds between two checks for due tasks. */
const pollMilliseconds = 1000;
/**
 * Longest time in milliseconds for which a computed wait for a budget is used, because replies to another
 * worker may change the budget.
 */
const longestTrust = 5000;
/** Number of renewals within the duration of a lease. */
const renewalsPerLease = 4;
/** Milliseconds without data after which an attempt is ended; doubled for each further attempt, up to 16 times. */
const silenceMilliseconds = 6000;
const mostSilence = 16;
/** Milliseconds without data after which the worker checks whether it can reach the service. */
const doubtMilliseconds = 3000;
/** Milliseconds that tasks in progress have to finish when the worker is interrupted. */
const drainMilliseconds = 5000;

/** The first request of each kind of task, which determines the usage group. */
const firstRequests: Readonly<Record<TaskKind, readonly [string, string]>> = {
  messages: ['GET', '/restapi/v1.0/account/~/extension/1/message-sync'],
  calls: ['GET', '/restapi/v1.0/account/~/call-log'],
  media: ['GET', '/restapi/v1.0/account/~/extension/1/message-store/1/content/1'],
};

interface Running {
  readonly task: ClaimedTask;
  readonly session: FleetSession;
  readonly end: AbortController;
  lastData: number;
}

/**
 * A worker of the fleet: claims due tasks, executes several at a time and renews their leases. Workers do not
 * communicate with each other. Each decision between workers is one statement in the store, which uses the
 * clock of the store.
 */
export class FleetWorker {
  readonly #settings: FleetWorkerSettings;
  readonly #monotonic: () => number;
  /**
   * A worker that was suspended may claim its own task again, so that a task can run twice until the first attempt is
   * fenced.
   */
  readonly #running = new Set<Running>();
  readonly #ended = new Set<Promise<void>>();
  readonly #lostSessions = new Set<string>();
  /** Time until which a budget allows no request, by sign-in and kind; monotonic milliseconds. */
  readonly #spentUntil = new Map<string, number>();
  readonly #service: ServiceCheck;
  #turn = 0;
  #isDraining = false;
  #isStoreFailing = false;
  #renewedAt = 0;
  #wake: () => void = () => undefined;

  constructor(settings: FleetWorkerSettings) {
    this.#settings = settings;
    this.#monotonic = settings.monotonic ?? ownProcess.monotonicMilliseconds;
    this.#service = new ServiceCheck(this.#monotonic, settings.onService);
  }

  /** Number of tasks that run. */
  get running(): number {
    return this.#running.size;
  }

  /** Whether the worker was asked to finish its tasks and end. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  /**
   * Executes tasks until the signal aborts or the worker is drained or, with `once`, until no task is due.
   */
  async run(signal: AbortSignal): Promise<void> {
    const end = new AbortController();
    const onAbort = (): void => end.abort();
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) end.abort();
    await this.#beat();
    const beating = this.#beats(end.signal);
    try {
      await this.#claimAll(end.signal);
      await this.#drain(signal);
    } finally {
      end.abort();
      signal.removeEventListener('abort', onAbort);
      await beating;
      await reportEnd(this.#settings.db, this.#settings.facts.worker).catch(() => undefined);
    }
  }

  async #claimAll(signal: AbortSignal): Promise<void> {
    const { facts, once, sessions } = this.#settings;
    while (!signal.aborted && !this.#isDraining && this.#lostSessions.size < sessions.length) {
      const isFull = this.#running.size >= facts.concurrency;
      const wasWorking = this.#running.size > 0;
      const next = isFull ? undefined : await this.#next();
      if (next === 'started') continue;
      if (once && next === 'idle' && this.#running.size === 0) {
        // If a task ended during the check, other tasks may be due now.
        if (wasWorking) continue;
        return;
      }
      const wait = typeof next === 'number' ? Math.min(next, pollMilliseconds) : pollMilliseconds;
      await this.#sleep(wait, signal);
    }
  }

  /** Waits for the given time, or until a task ends. */
  async #sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const woken = new AbortController();
    const onAbort = (): void => woken.abort();
    signal.addEventListener('abort', onAbort);
    this.#wake = () => woken.abort();
    try {
      await this.#settings.sleep(milliseconds, woken.signal).catch(() => undefined);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /**
   * Claims one task. @returns the milliseconds to wait if the budgets allow no request, or `idle` if no task
   * is due.
   */
  async #next(): Promise<'started' | 'idle' | number> {
    if (this.#service.rest > 0) return this.#service.rest;
    const { sessions, kinds } = this.#settings;
    const usable = await this.#service.usable(
      sessions.filter(({ profile }) => !this.#lostSessions.has(profile)),
    );
    if (this.#service.rest > 0) return this.#service.rest;
    this.#turn += 1;
    let least: number | undefined;
    for (const kind of rotated(kinds, this.#turn)) {
      if (kind === 'media' && this.#isCrowdedByMedia()) continue;
      for (const session of rotated(usable, this.#turn)) {
        const result = await this.#claimWith(session, kind);
        if (result === 'started') return result;
        if (result === 'idle') break;
        least = Math.min(least ?? result, result);
      }
    }
    return least ?? 'idle';
  }

  /** Downloads wait for a separate rate budget, so they use at most half of the concurrent tasks. */
  #isCrowdedByMedia(): boolean {
    const media = [...this.#running].filter(({ task }) => task.kind === 'media');
    return media.length >= Math.max(1, Math.floor(this.#settings.facts.concurrency / 2));
  }

  async #claimWith(session: FleetSession, kind: TaskKind): Promise<'started' | 'idle' | number> {
    const { db, facts, leaseMilliseconds } = this.#settings;
    const key = `${session.profile}\n${kind}`;
    const now = this.#monotonic();
    const spentUntil = this.#spentUntil.get(key) ?? 0;
    if (spentUntil > now) return spentUntil - now;
    const group = session.groupOf(...firstRequests[kind]);
    try {
      const claimed = await claim(db, {
        kind,
        worker: facts.worker,
        session: session.profile,
        leaseMilliseconds,
        budget: { owner: session.owner, group },
        prepays: kind !== 'media',
      });
      if (!claimed) return 'idle';
      if ('waitMilliseconds' in claimed) {
        this.#settings.onLimited?.(kind, session.profile);
        this.#spentUntil.set(key, now + Math.min(claimed.waitMilliseconds, longestTrust));
        return claimed.waitMilliseconds;
      }
      const withdraw = claimed.taken ? session.prepay(group, claimed.taken) : undefined;
      this.#start(claimed.task, session, withdraw);
      return 'started';
    } catch (error) {
      this.#storeFailed(error);
      return pollMilliseconds;
    }
  }

  #start(task: ClaimedTask, session: FleetSession, withdraw: (() => void) | undefined): void {
    const running: Running = {
      task,
      session,
      end: new AbortController(),
      lastData: this.#monotonic(),
    };
    this.#running.add(running);
    const ended = this.#attempt(running).finally(() => {
      withdraw?.();
      this.#running.delete(running);
      this.#ended.delete(ended);
      this.#wake();
    });
    this.#ended.add(ended);
  }

  async #attempt(running: Running): Promise<void> {
    const { task, session, end } = running;
    const { db } = this.#settings;
    const started = this.#monotonic();
    let report: object | undefined;
    let failure: Failure | undefined;
    try {
      report = await this.#settings.run(task, {
        session,
        signal: end.signal,
        progress: () => {
          running.lastData = this.#monotonic();
        },
        guard: guardOf(task),
      });
      this.#service.works();
      if (!(await finishTask(db, task))) throw new FencedError(task.label);
    } catch (error) {
      failure = afterFailure(end.signal.aborted ? end.signal.reason : error, task);
      await this.#settle(running, failure).catch((settled: unknown) => this.#storeFailed(settled));
    }
    this.#settings.onEnd({
      task,
      session: session.profile,
      result: failure?.result ?? 'done',
      milliseconds: Math.round(this.#monotonic() - started),
      report: failure ? undefined : report,
      problem: failure?.problem,
    });
  }

  async #settle({ task, session }: Running, failure: Failure): Promise<void> {
    const { db } = this.#settings;
    if (failure.isOfConnection) this.#service.failed();
    if (failure.endsSession && !this.#lostSessions.has(session.profile)) {
      this.#lostSessions.add(session.profile);
      this.#settings.onSession(session.profile, failure.problem);
      await reportSession(db, session.profile, failure.problem);
    }
    if (failure.result === 'fenced') await countFenced(db, task);
    else if (failure.result === 'released') await releaseTask(db, task);
    else
      await failTask(
        db,
        task,
        failure.problem,
        failure.result === 'failed' ? 'failed' : failure.retryMilliseconds,
      );
  }

  /**
   * Waits until tasks in progress end. After an interruption, ucctl waits a few seconds, and then releases
   * the tasks.
   */
  async #drain(signal: AbortSignal): Promise<void> {
    const limit = new AbortController();
    const expire = (): void => {
      const timer = setTimeout(() => this.#release(), drainMilliseconds);
      limit.signal.addEventListener('abort', () => clearTimeout(timer));
    };
    if (signal.aborted) expire();
    else signal.addEventListener('abort', expire, { once: true });
    await Promise.all(this.#ended);
    signal.removeEventListener('abort', expire);
    limit.abort();
  }

  #release(): void {
    for (const { end } of this.#running) end.abort(new Released());
  }

  async #beats(signal: AbortSignal): Promise<void> {
    const interval = Math.max(50, this.#settings.leaseMilliseconds / renewalsPerLease);
    // Tasks need their leases until they end.
    while (!signal.aborted || this.#running.size > 0) {
      await this.#settings.sleep(interval, signal).catch(() => undefined);
      if (signal.aborted && this.#running.size === 0) return;
      // After an interruption, `sleep` rejects immediately, so this wait uses a timer.
      if (signal.aborted) await new Promise((resolve) => setTimeout(resolve, Math.min(interval, 500)));
      await this.#beat();
    }
  }

  /** Reports that the worker is alive, renews its leases, and ends attempts without data or lease. */
  async #beat(): Promise<void> {
    const { db, facts, leaseMilliseconds } = this.#settings;
    this.#endStalled();
    const running = [...this.#running];
    const started = this.#monotonic();
    try {
      const order = await reportAlive(db, facts);
      if (order === 'draining') this.#isDraining = true;
      const own = await renewLeases(
        db,
        running.map(({ task }) => task),
        leaseMilliseconds,
      );
      for (const one of running)
        if (!own.has(one.task) && this.#running.has(one)) one.end.abort(new FencedError(one.task.label));
      this.#renewedAt = started;
      this.#storeWorks();
    } catch (error) {
      this.#storeFailed(error);
      // The leases may have ended by the clock of the store. The store then rejects all data of these tasks.
      if (this.#monotonic() - this.#renewedAt > leaseMilliseconds)
        for (const { end } of running) end.abort(new Released());
    }
    if (this.#isDraining) this.#wake();
  }

  #endStalled(): void {
    const now = this.#monotonic();
    for (const running of this.#running) {
      const { task, session, end } = running;
      if (session.isWaiting()) running.lastData = now;
      const silence = now - running.lastData;
      const limit = silenceMilliseconds * Math.min(mostSilence, 2 ** (task.attempts - 1));
      if (silence > limit) end.abort(new StalledError(Math.round(limit / 1000)));
      else if (silence > doubtMilliseconds) void this.#endUnreachable(running);
    }
  }

  /** Ends an attempt without data if the service does not reply to this worker, so that another worker can claim the task. */
  async #endUnreachable(running: Running): Promise<void> {
    const { lastData, session, end } = running;
    const replies = await this.#service.replies(session);
    if (!replies && running.lastData === lastData) end.abort(new UnreachableError());
  }

  #storeFailed(error: unknown): void {
    if (!this.#isStoreFailing) this.#settings.onStore(messageOf(error));
    this.#isStoreFailing = true;
  }

  #storeWorks(): void {
    if (this.#isStoreFailing) this.#settings.onStore(undefined);
    this.#isStoreFailing = false;
  }
}

function rotated<T>(items: readonly T[], by: number): readonly T[] {
  if (items.length < 2) return items;
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
