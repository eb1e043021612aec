import { setTimeout as pause } from 'node:timers/promises';

/** A clock that moves to the end of the next sleep when all loops of a worker sleep. */
export class SleepingClock {
  now = 0;
  readonly #ends = new Map<() => void, number>();

  /** Resolves at the end of the sleep, or when the signal aborts. */
  async sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        this.#ends.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#ends.set(wake, this.now + milliseconds);
      signal.addEventListener('abort', wake);
    });
  }

  /** @param sleepers number of sleeps in progress that move the clock. */
  async run(sleepers: () => number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pause(1);
      if (this.#ends.size < sleepers()) continue;
      this.now = Math.max(this.now, Math.min(...this.#ends.values()));
      for (const [wake, at] of this.#ends) if (at <= this.now) wake();
    }
  }
}
