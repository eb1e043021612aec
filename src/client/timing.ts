import { setTimeout as delay } from 'node:timers/promises';

/** Time and chance, so that tests own both. */
export interface Timing {
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits; rejects when `signal` aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** From 0 up to, not including, 1. */
  random(): number;
}

/** The real clock, and chance from the system. */
export const systemTiming: Timing = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) => delay(milliseconds, undefined, signal && { signal }),
  random: () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32,
};
