import { vi } from 'vitest';
import { conditionLimit } from './limits.ts';

/** Calls `check` until it stops throwing and returns what it returned; fails with its last error after `conditionLimit`. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: conditionLimit, interval: 20 });
}
