import { setImmediate as turn } from 'node:timers/promises';
import { vi } from 'vitest';

/** The machine's clock, passing only where something waits for it: for the sandbox's limiter, which counts real minutes. */
export interface MachineClock {
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Gives the real clock back. */
  restore(): void;
}

export function startMachineClock(): MachineClock {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  return {
    async sleep(milliseconds, signal) {
      const end = Date.now() + milliseconds;
      // Whoever has something to do goes first; of those who wait, the others may have put the clock on meanwhile.
      for (let turns = 0; turns < 25; turns += 1) await turn();
      signal?.throwIfAborted();
      if (Date.now() < end) vi.setSystemTime(end);
    },
    restore: () => void vi.useRealTimers(),
  };
}
