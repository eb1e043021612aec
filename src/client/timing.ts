/** Clock and random numbers, which tests replace. */
export interface Timing {
  /** Returns the current time in milliseconds since 1970. */
  now(): number;
  /** Waits for this time; rejects when `signal` aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Returns a random number from 0 up to, not including, 1. */
  random(): number;
}

/** The clock and the random numbers of the system. */
export const systemTiming: Timing = {
  now: () => Date.now(),
  async sleep(milliseconds, signal) {
    // This module is loaded at the first wait, because most runs never wait.
    const { setTimeout: delay } = await import('node:timers/promises');
    await delay(milliseconds, undefined, signal && { signal });
  },
  random: () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32,
};
