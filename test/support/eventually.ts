import { setTimeout as delay } from 'node:timers/promises';
import { conditionLimit } from './limits.ts';

/** Milliseconds before the second check, and the longest wait between two checks. */
const pauses = { first: 5, longest: 100 } as const;

/**
 * Calls `check` until it stops throwing and returns what it returned; fails with its last error after `conditionLimit`.
 * The pauses grow, because many checks start a process or a query, and take processor time from what they wait for.
 */
export async function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  const end = performance.now() + conditionLimit;
  for (let pause: number = pauses.first; ; pause = Math.min(pause * 1.5, pauses.longest)) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await delay(pause);
  }
}
