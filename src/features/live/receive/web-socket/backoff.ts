const firstDelay = 1000;
const maxDelay = 60_000;

/**
 * Delays between connection attempts: doubled after each failure, with jitter that spreads the attempts of several
 * listeners.
 */
export class Backoff {
  readonly #random: () => number;
  #failures = 0;

  /** @param random a number from 0 up to, not including, 1. */
  constructor(random: () => number) {
    this.#random = random;
  }

  get failures(): number {
    return this.#failures;
  }

  /** Milliseconds until the next attempt, at least `least`. Counts a failure. */
  next(least = 0): number {
    const longest = Math.min(maxDelay, firstDelay * 2 ** Math.min(this.#failures, 10));
    this.#failures += 1;
    return Math.max(least, Math.round((longest / 2) * (1 + this.#random())));
  }

  reset(): void {
    this.#failures = 0;
  }
}
