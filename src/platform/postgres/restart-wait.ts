import { ownProcess } from '../own-process.ts';
import { StoreError } from '../store-error.ts';

/** Attempts, and the pause between them, while the server restarts. A restart usually takes 5 to 15 s. */
const restartAttempts = 30;
const restartPauseMilliseconds = 500;
const restartMilliseconds = restartAttempts * restartPauseMilliseconds;
/** How long statements wait for a restart, in seconds. */
export const restartSeconds = restartMilliseconds / 1000;
/** The longest attempt to connect that counts as a part of the wait. */
const connectMilliseconds = 10_000;
/** Milliseconds after which a wait is reported, unless a second attempt fails earlier. */
const shortMilliseconds = 1000;

/** The time from the first failure until a statement succeeds. Times are monotonic milliseconds. */
interface Outage {
  /** Time at which statements stop waiting. */
  end: number;
  lastFailure: number;
  error: unknown;
  isReported: boolean;
}

/**
 * Waits for a restart of the server. All statements of a process share the wait, because the waits of a request, of its
 * outcome and of the next request would otherwise add up.
 */
export class RestartWait {
  readonly #onWait: () => void;
  readonly #now: () => number;
  #outage: Outage | undefined;

  /**
   * @param onWait reports a wait, once for each outage
   * @param now a monotonic clock in milliseconds
   */
  constructor(
    onWait: () => void = () => undefined,
    now: () => number = () => ownProcess.monotonicMilliseconds(),
  ) {
    this.#onWait = onWait;
    this.#now = now;
  }

  /**
   * Repeats work with a store for about 15 s while the connection is lost, for example because the server restarts. The
   * work must be safe to repeat: a commit whose reply was lost may have succeeded.
   * @throws {StoreError} the last failure, and every other error at once.
   */
  async lasting<T>(sleep: (milliseconds: number) => Promise<void>, work: () => Promise<T>): Promise<T> {
    const begun = this.#now();
    this.#requirePause(begun);
    for (let attempt = 1; ; attempt += 1) {
      try {
        const result = await work();
        this.#outage = undefined;
        return result;
      } catch (error) {
        const isRestart = error instanceof StoreError && ['lost', 'unreachable'].includes(error.problem);
        // Any other error is a reply of the server.
        if (!isRestart) this.#outage = undefined;
        if (!isRestart || !this.#mayRepeat(error, begun, attempt)) throw error;
        await sleep(restartPauseMilliseconds);
      }
    }
  }

  /** @throws the last failure if the wait has ended and the next attempt would follow without a pause. */
  #requirePause(begun: number): void {
    const outage = this.#outage;
    if (!outage) return;
    const pause = begun - outage.lastFailure;
    // A process that had no work for a long time does not know whether the server was reachable meanwhile.
    if (pause >= restartMilliseconds) this.#outage = undefined;
    else if (begun >= outage.end && pause < restartPauseMilliseconds) throw outage.error;
  }

  /** Records a failure. Returns whether the work may be repeated. */
  #mayRepeat(error: unknown, begun: number, attempt: number): boolean {
    const now = this.#now();
    const outage = (this.#outage ??= {
      // A statement may have waited for a lock for a long time before it lost its connection.
      end: Math.max(begun, now - connectMilliseconds) + restartMilliseconds,
      lastFailure: now,
      error,
      isReported: false,
    });
    outage.lastFailure = now;
    outage.error = error;
    if (attempt >= restartAttempts) outage.end = Math.min(outage.end, now);
    // An attempt to connect may take 10 s itself.
    if (now >= outage.end) return false;
    if (!outage.isReported && (attempt > 1 || now - begun >= shortMilliseconds)) {
      outage.isReported = true;
      this.#onWait();
    }
    return true;
  }
}
