import type { FleetSession } from '../../runtime/fleet-session.ts';

/**
 * Milliseconds that the service has to reply to a check, or twice the time of its last reply to a check if that is longer;
 * doubled for each failure in a row, up to 16 times.
 */
const replyMilliseconds = 2000;
const mostDoublings = 4;
const longestRest = 30_000;

/**
 * Whether a worker can reach the service. After a failed connection, the worker rests, and then claims tasks only when
 * the service replies to a check. Otherwise it would take tasks from workers that can reach the service.
 */
export class ServiceCheck {
  readonly #monotonic: () => number;
  readonly #onChange: (isReachable: boolean) => void;
  /** Checks in progress, by origin of the service. */
  readonly #checks = new Map<string, Promise<boolean>>();
  #failures = 0;
  /** Milliseconds of the last reply to a check. */
  #lastReply = 0;
  #restUntil = 0;
  #mustCheck = false;
  #isReachable = true;

  /**
   * @param monotonic milliseconds of a monotonic clock. @param onChange called when the service stops replying to checks, and
   * when it replies again.
   */
  constructor(monotonic: () => number, onChange: (isReachable: boolean) => void) {
    this.#monotonic = monotonic;
    this.#onChange = onChange;
  }

  /** Milliseconds for which no task is claimed, because connections failed. */
  get rest(): number {
    return Math.max(0, this.#restUntil - this.#monotonic());
  }

  /** Call after a task that succeeded. */
  works(): void {
    this.#failures = 0;
    this.#mustCheck = false;
    this.#report(true);
  }

  /** Call after a failed connection. The rest doubles with each failure in a row; failures during a rest are not counted. */
  failed(): void {
    this.#mustCheck = true;
    if (this.rest > 0) return;
    this.#failures += 1;
    this.#restUntil = this.#monotonic() + Math.min(1000 * 2 ** this.#failures, longestRest);
  }

  /** Returns whether the service replies. Several callers share one request. */
  replies(session: FleetSession): Promise<boolean> {
    const { origin } = session;
    const running = this.#checks.get(origin);
    if (running) return running;
    const check = this.#ask(session).finally(() => this.#checks.delete(origin));
    this.#checks.set(origin, check);
    return check;
  }

  async #ask(session: FleetSession): Promise<boolean> {
    const timeout =
      Math.max(replyMilliseconds, 2 * this.#lastReply) * 2 ** Math.min(mostDoublings, this.#failures);
    const started = this.#monotonic();
    const replies = await session.reaches(timeout);
    if (replies) {
      this.#lastReply = this.#monotonic() - started;
      this.#failures = 0;
    }
    return replies;
  }

  /** Returns the sign-ins to claim tasks with: all, unless connections have failed and their service does not reply. */
  async usable(sessions: readonly FleetSession[]): Promise<readonly FleetSession[]> {
    if (!this.#mustCheck || sessions.length === 0) return sessions;
    const replies = await Promise.all(sessions.map((session) => this.replies(session)));
    const reached = sessions.filter((_, index) => replies[index]);
    this.#report(reached.length > 0);
    if (reached.length === 0) this.failed();
    else if (reached.length === sessions.length) this.#mustCheck = false;
    return reached;
  }

  #report(isReachable: boolean): void {
    if (this.#isReachable === isReachable) return;
    this.#isReachable = isReachable;
    this.#onChange(isReachable);
  }
}
