import { vi } from 'vitest';

/**
 * The longest wait of any test for a condition, in milliseconds. It bounds a hang and asserts no speed, so it is generous: a loaded
 * machine takes many times as long as a quiet one.
 */
export const conditionLimit = 60_000;

/** Calls `check` until it stops throwing and returns what it returned; fails with its last error after `conditionLimit`. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: conditionLimit, interval: 20 });
}
