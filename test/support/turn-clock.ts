import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds by which the clock advances in each turn. */
const speed = 100;
const start = Date.parse('2026-11-22T08:00:00Z');

interface Sleeper {
  /** Time at which the sleeper wakes, in milliseconds since the start of the clock. */
  readonly due: number;
  readonly wake: () => void;
}

/**
 * A clock that moves only while the program waits, by 100 ms in each turn of the event loop. A slow machine makes fewer turns in
 * the same time, so a service in the same process has the same number of turns for its answer on every machine.
 */
export class TurnClock {
  readonly #sleepers = new Set<Sleeper>();
  #elapsed = 0;
  #isTurning = false;
  /** Added to the time that the program reads, as if the clock of the machine was set. */
  offset = 0;

  readonly now = (): number => start + this.#elapsed + this.offset;

  readonly sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const sleeper: Sleeper = {
        due: this.#elapsed + Math.round(milliseconds),
        wake: () => {
          signal.removeEventListener('abort', stop);
          resolve();
        },
      };
      const stop = (): void => {
        this.#sleepers.delete(sleeper);
        reject(signal.reason as Error);
      };
      if (signal.aborted) return stop();
      signal.addEventListener('abort', stop, { once: true });
      this.#sleepers.add(sleeper);
      void this.#turn();
    });

  async #turn(): Promise<void> {
    if (this.#isTurning) return;
    this.#isTurning = true;
    while (this.#sleepers.size > 0) {
      await delay(1);
      this.#elapsed += speed;
      for (const sleeper of [...this.#sleepers].toSorted((a, b) => a.due - b.due)) {
        if (sleeper.due > this.#elapsed) break;
        this.#sleepers.delete(sleeper);
        sleeper.wake();
      }
    }
    this.#isTurning = false;
  }
}
