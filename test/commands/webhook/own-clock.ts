/** A clock that moves only when the test says so: what waits for a time wakes when it has come. */
export class OwnClock {
  #now: number;
  readonly #waiting = new Set<{ readonly at: number; readonly wake: () => void }>();

  /** @param start milliseconds since 1970. */
  constructor(start: number) {
    this.#now = start;
  }

  readonly now = (): number => this.#now;

  readonly sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const one = { at: this.#now + milliseconds, wake: resolve };
      this.#waiting.add(one);
      signal.addEventListener('abort', () => {
        this.#waiting.delete(one);
        reject(signal.reason as Error);
      });
    });

  /** Moves at once, as after a sleep of the machine: nothing wakes before the next step. */
  skip(milliseconds: number): void {
    this.#now += milliseconds;
  }

  /** Moves in steps of a second, so that what wakes can act before the next. */
  async advance(milliseconds: number): Promise<void> {
    for (const until = this.#now + milliseconds; this.#now < until;) {
      this.#now = Math.min(until, this.#now + 1000);
      for (const one of this.#waiting) {
        if (one.at > this.#now) continue;
        this.#waiting.delete(one);
        one.wake();
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
