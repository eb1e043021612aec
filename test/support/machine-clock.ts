import { setImmediate as turn } from 'node:timers/promises';
import { vi } from 'vitest';

/**
 * The machine's clock, which passes only while something waits for it: for the rate limiter of the sandbox, which
 * counts real minutes.
 */
export interface MachineClock {
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Restores the real clock. */
  restore(): void;
}

export function startMachineClock(): MachineClock {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  return {
    async sleep(milliseconds, signal) {
      const end = Date.now() + milliseconds;
      // Other tasks run first; another waiter may have advanced the clock meanwhile.
      for (let turns = 0; turns < 25; turns += 1) await turn();
      signal?.throwIfAborted();
      if (Date.now() < end) vi.setSystemTime(end);
    },
    restore: () => void vi.useRealTimers(),
  };
}
