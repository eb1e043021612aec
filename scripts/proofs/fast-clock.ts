interface Sleeper {
  readonly due: number;
  readonly wake: () => void;
}

/** Times of the clock in milliseconds are multiples of this, so that sleepers wake together. */
const step = 100;

/** A clock that advances to the next time for which somebody waits, as soon as everybody waits. */
export class FastClock {
  readonly #sleepers = new Set<Sleeper>();
  readonly #everybody: () => number;
  readonly #onAdvance: (now: number) => Promise<void>;
  #now = 0;
  #isAdvancing = false;
  /** Why the clock stopped. */
  failure: Promise<never>;
  #fail: (error: unknown) => void = () => undefined;

  /**
   * @param everybody returns the number of sleepers when nobody works.
   * @param onAdvance is called before the sleepers wake.
   */
  constructor(everybody: () => number, onAdvance: (now: number) => Promise<void>) {
    this.#everybody = everybody;
    this.#onAdvance = onAdvance;
    this.failure = new Promise((_resolve, reject) => {
      this.#fail = reject;
    });
    this.failure.catch(() => undefined);
  }

  /** Milliseconds since the start of the clock. */
  readonly now = (): number => this.#now;

  readonly sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#sleepers.delete(sleeper);
        reject(signal.reason as Error);
      };
      const sleeper: Sleeper = {
        due: Math.ceil((this.#now + Math.max(1, milliseconds)) / step) * step,
        wake: () => {
          signal.removeEventListener('abort', stop);
          resolve();
        },
      };
      if (signal.aborted) return stop();
      signal.addEventListener('abort', stop, { once: true });
      this.#sleepers.add(sleeper);
      setImmediate(() => void this.#advance().catch(this.#fail));
    });

  async #advance(): Promise<void> {
    if (this.#isAdvancing || this.#sleepers.size === 0 || this.#sleepers.size < this.#everybody()) return;
    this.#isAdvancing = true;
    const next = Math.min(...[...this.#sleepers].map(({ due }) => due));
    await this.#onAdvance(next);
    this.#now = next;
    this.#isAdvancing = false;
    for (const sleeper of this.#sleepers) {
      if (sleeper.due > next) continue;
      this.#sleepers.delete(sleeper);
      sleeper.wake();
    }
  }
}
