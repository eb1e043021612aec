import { messageOf } from '../../errors/command.ts';
import { NewerStoreError } from '../../errors/newer-store.ts';
import { ownProcess } from '../../platform/own-process.ts';
import { StoreError } from '../../platform/store-error.ts';
import { afterFailure, type Failure } from './after-failure.ts';
import { applyMarks } from './changed-tasks.ts';
import { ClaimTurns, pollMilliseconds, type ClaimedWork } from './claim-turns.ts';
import {
  countFenced,
  failTask,
  finishTask,
  guardOf,
  releaseTask,
  renewLeases,
  repairDueTimes,
} from './claims.ts';
import { Rejections } from './rejections.ts';
import { ServiceCheck } from './service-check.ts';
import { lossText } from './sign-in-losses.ts';
import { endIfSilent, noteData, noteWait, type Attempt } from './silence.ts';
import { FencedError, Released } from './task-errors.ts';
import type { FleetWorkerSettings, TaskEnd } from './worker-settings.ts';
import { reportAlive, reportEnd } from './workers.ts';

/** Milliseconds between two searches for tasks whose state or due time is wrong. */
const repairMilliseconds = 60_000;
/** Number of renewals within the duration of a lease. */
const renewalsPerLease = 4;
/** Longest time in milliseconds between two reports. Other processes count a worker as lost after 15 s without a report. */
const longestBeatMilliseconds = 2000;
/** Milliseconds that tasks in progress have to finish when the worker is interrupted. */
const drainMilliseconds = 5000;
/** Milliseconds that the store then has to reply, so that the worker ends soon even if the store is frozen. */
const storeMilliseconds = 2000;

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
  readonly #running = new Set<Attempt>();
  readonly #ended = new Set<Promise<void>>();
  readonly #service: ServiceCheck;
  readonly #turns: ClaimTurns;
  readonly #rejections: Rejections;
  /** Number of attempts that have ended. */
  #endedAttempts = 0;
  #isDraining = false;
  #isReleasing = false;
  #isStoreFailing = false;
  #newerStore: NewerStoreError | undefined;
  #renewedAt = Number.NEGATIVE_INFINITY;
  #marksAppliedAt = Number.NEGATIVE_INFINITY;
  #repairedAt = Number.NEGATIVE_INFINITY;
  #repairedWith: readonly string[] = [];
  #wake: () => void = () => undefined;

  constructor(settings: FleetWorkerSettings) {
    this.#settings = settings;
    this.#monotonic = settings.monotonic ?? ownProcess.monotonicMilliseconds;
    this.#service = new ServiceCheck(this.#monotonic, settings.onService);
    this.#rejections = new Rejections(settings.db);
    this.#turns = new ClaimTurns(settings, this.#rejections, this.#monotonic, (error) =>
      this.#storeFailed(error),
    );
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
   * @throws {NewerStoreError} if a newer version of ucctl has migrated the store.
   */
  async run(signal: AbortSignal): Promise<void> {
    const end = new AbortController();
    const onAbort = (): void => end.abort();
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) end.abort();
    const timers = [
      afterAbort(signal, drainMilliseconds, () => this.#release()),
      afterAbort(signal, drainMilliseconds + storeMilliseconds, () => this.#abandonStore()),
    ];
    let beating: Promise<void> | undefined;
    try {
      await this.#requireUsableStore();
      await this.#beat();
      beating = this.#beats(end.signal);
      await this.#claimAll(end.signal);
      await Promise.all(this.#ended);
      if (this.#newerStore) throw this.#newerStore;
    } finally {
      end.abort();
      signal.removeEventListener('abort', onAbort);
      await beating;
      await reportEnd(this.#settings.db, this.#settings.facts.worker).catch(() => undefined);
      for (const cancel of timers) cancel();
    }
  }

  async #claimAll(signal: AbortSignal): Promise<void> {
    const { facts, once } = this.#settings;
    while (!signal.aborted && !this.#isDraining && !this.#newerStore && (await this.#hasSession())) {
      const isFull = this.#running.size >= facts.concurrency;
      const endedBefore = this.#endedAttempts;
      const next = isFull ? undefined : await this.#next();
      if (next === 'started') continue;
      // If a task ended during the claim, other tasks may be due now.
      if (next === 'idle' && this.#endedAttempts !== endedBefore) continue;
      if (once && next === 'idle' && this.#running.size === 0) return;
      const wait = typeof next === 'number' ? Math.min(next, pollMilliseconds) : pollMilliseconds;
      await this.#sleep(wait, signal);
    }
  }

  /** Whether a sign-in can be used. The last attempts may still report the loss of their sign-in. */
  async #hasSession(): Promise<boolean> {
    const { sessions } = this.#settings;
    await sessions.refresh().catch((error: unknown) => this.#storeFailed(error));
    return sessions.usable.length > 0 || this.#running.size > 0;
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

  /** Without a receiver, only workers apply marks. With `once`, a mark must not be missed before the worker ends. */
  async #applyMarks(): Promise<void> {
    const now = this.#monotonic();
    if (!this.#settings.once && now - this.#marksAppliedAt < pollMilliseconds) return;
    this.#marksAppliedAt = now;
    await applyMarks(this.#settings.db).catch((error: unknown) => this.#storeFailed(error));
  }

  /**
   * Makes tasks due whose due time is too late, or that failed before a sign-in was added, and fails tasks that no sign-in may
   * try, at the latest when the sign-ins of this worker change.
   */
  async #repairTasks(): Promise<void> {
    const now = this.#monotonic();
    const owners = this.#owners();
    const isSame = owners.join('\n') === this.#repairedWith.join('\n');
    if (isSame && now - this.#repairedAt < repairMilliseconds) return;
    this.#repairedAt = now;
    this.#repairedWith = owners;
    const { db, kinds, facts } = this.#settings;
    try {
      await repairDueTimes(db);
      const failed = await this.#rejections.refresh(facts.worker, kinds, owners);
      if (failed > 0) this.#settings.onFailed?.(failed);
    } catch (error) {
      this.#storeFailed(error);
    }
  }

  /** Claims and starts one task. @returns as `ClaimTurns.next`. */
  async #next(): Promise<'started' | 'idle' | number> {
    if (this.#service.rest > 0) return this.#service.rest;
    const { sessions } = this.#settings;
    const usable = await this.#service.usable(sessions.usable);
    if (this.#service.rest > 0) return this.#service.rest;
    await this.#applyMarks();
    await this.#repairTasks();
    const next = await this.#turns.next(
      usable,
      [...this.#running].map(({ task }) => task),
    );
    if (typeof next === 'number') sessions.wantMore();
    if (typeof next !== 'object') return next;
    this.#start(next);
    return 'started';
  }

  #start({ task, session, withdraw }: ClaimedWork): void {
    const attempt: Attempt = { task, session, end: new AbortController(), silentSince: this.#monotonic() };
    this.#running.add(attempt);
    if (this.#isReleasing) attempt.end.abort(new Released());
    const ended = this.#attempt(attempt).finally(() => {
      withdraw?.();
      this.#running.delete(attempt);
      this.#ended.delete(ended);
      this.#endedAttempts += 1;
      this.#wake();
    });
    this.#ended.add(ended);
  }

  async #attempt(attempt: Attempt): Promise<void> {
    const { task, session, end } = attempt;
    const { db, sessions } = this.#settings;
    const started = this.#monotonic();
    let report: object | undefined;
    let failure: Failure | undefined;
    let result: TaskEnd['result'] = 'done';
    try {
      report = await this.#settings.run(task, {
        session,
        signal: end.signal,
        progress: () => noteData(attempt, this.#monotonic()),
        onWait: (wait) => noteWait(attempt, wait, this.#monotonic()),
        guard: guardOf(task),
      });
      this.#service.works();
      if (!(await finishTask(db, task))) throw new FencedError(task.label);
      await sessions.works(session).catch((error: unknown) => this.#storeFailed(error));
    } catch (error) {
      if (error instanceof NewerStoreError) this.#endWithoutStore(error);
      failure = afterFailure(end.signal.aborted ? end.signal.reason : error, task);
      result = await this.#settle(attempt, failure).catch((settled: unknown) => {
        this.#storeFailed(settled);
        return 'released' as const;
      });
    }
    this.#settings.onEnd({
      task,
      session: session.profile,
      result,
      milliseconds: Math.round(this.#monotonic() - started),
      report: failure ? undefined : report,
      problem: failure?.problem,
    });
  }

  /** Records the end of a failed attempt in the store. @returns how it ended. */
  async #settle({ task, session }: Attempt, failure: Failure): Promise<TaskEnd['result']> {
    const { db, sessions, facts } = this.#settings;
    const { result, problem, retryMilliseconds } = failure;
    if (failure.isOfConnection) this.#service.failed();
    if (failure.endsSession)
      await sessions.lose(session, problem).catch((error: unknown) => this.#storeFailed(error));
    if (result === 'rejected')
      return this.#rejections.reject(task, session.rejectionOwner, problem, this.#owners());
    if (result === 'fenced') await countFenced(db, task);
    else if (result === 'released')
      await releaseTask(db, task, failure.endsSession ? lossText(facts.machine, problem) : undefined);
    else await failTask(db, task, problem, result === 'failed' ? 'failed' : retryMilliseconds);
    return result;
  }

  /** The names of the usable sign-ins in the rejections. */
  #owners(): readonly string[] {
    return this.#settings.sessions.usable.map(({ rejectionOwner }) => rejectionOwner);
  }

  /** Releases the tasks that have not ended in time after an interruption. */
  #release(): void {
    this.#isReleasing = true;
    for (const { end } of this.#running) end.abort(new Released());
  }

  /** Makes all statements fail that the store has not answered in time. The leases of the tasks then end by themselves. */
  #abandonStore(): void {
    this.#settings.onAbandonedStore?.();
    this.#isStoreFailing = true;
    this.#settings.db.abandon();
  }

  /** Ends the worker without further changes in the store. The leases of its tasks end by themselves. */
  #endWithoutStore(error: NewerStoreError): void {
    this.#newerStore ??= error;
    this.#isStoreFailing = true;
    this.#settings.db.abandon();
    this.#release();
    this.#wake();
  }

  async #beats(signal: AbortSignal): Promise<void> {
    const ofLease = Math.max(50, this.#settings.leaseMilliseconds / renewalsPerLease);
    const interval = Math.min(ofLease, longestBeatMilliseconds);
    // Tasks need their leases until they end.
    while (!signal.aborted || this.#running.size > 0) {
      await this.#settings.sleep(interval, signal).catch(() => undefined);
      if (signal.aborted && this.#running.size === 0) return;
      // After an interruption, `sleep` rejects immediately, so this wait uses a timer.
      if (signal.aborted) await new Promise((resolve) => setTimeout(resolve, Math.min(interval, 500)));
      await this.#beat();
    }
  }

  /** @throws {StoreError} if a retry cannot help, for example because the server is read-only. */
  async #requireUsableStore(): Promise<void> {
    const { db, facts } = this.#settings;
    await reportAlive(db, facts).catch((error: unknown) => {
      if (error instanceof StoreError && !error.retryable) throw error;
    });
  }

  /** Reports that the worker is alive, renews its leases when this is due, and ends attempts without data or lease. */
  async #beat(): Promise<void> {
    const { db, facts, leaseMilliseconds } = this.#settings;
    for (const attempt of this.#running) endIfSilent(attempt, this.#monotonic(), this.#service);
    const running = [...this.#running];
    const tasks = running.map(({ task }) => task);
    const started = this.#monotonic();
    // A timer may fire a little early.
    const renews = started - this.#renewedAt > (leaseMilliseconds / renewalsPerLease) * 0.9;
    try {
      // Large replies may occupy all connections of the pool until the leases have ended.
      const { order, own } = await db.extraSession(async (session) => {
        await this.#settings.requireSchema?.(session);
        return {
          order: await reportAlive(session, facts),
          own: renews ? await renewLeases(session, tasks, leaseMilliseconds) : new Set(tasks),
        };
      });
      if (order === 'draining') this.#isDraining = true;
      for (const one of running)
        if (!own.has(one.task) && this.#running.has(one)) one.end.abort(new FencedError(one.task.label));
      if (renews) this.#renewedAt = started;
      this.#storeWorks();
    } catch (error) {
      if (error instanceof NewerStoreError) return this.#endWithoutStore(error);
      this.#storeFailed(error);
      // The leases may have ended by the clock of the store. The store then rejects all data of these tasks.
      if (this.#monotonic() - this.#renewedAt > leaseMilliseconds)
        for (const { end } of running) end.abort(new Released());
    }
    if (this.#isDraining) this.#wake();
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

/** Calls `work` some time after the signal aborts. @returns a function that prevents the call. */
function afterAbort(signal: AbortSignal, milliseconds: number, work: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const start = (): void => {
    timer = setTimeout(work, milliseconds);
  };
  if (signal.aborted) start();
  else signal.addEventListener('abort', start, { once: true });
  return () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', start);
  };
}
