import { hintOf } from '../../errors/hint-of.ts';
import type { Hint } from '../../errors/hint.ts';

/** One line of the doctor's report. */
export interface Finding {
  readonly check: string;
  readonly result: 'ok' | 'warn' | 'fail';
  /** What was found, in words. */
  readonly found: string;
  /** What to do about it; undefined when there is nothing to do. */
  readonly todo?: Hint | undefined;
}

/** A check that found everything in order. */
export function ok(check: string, found: string): Finding {
  return { check, result: 'ok', found };
}

/** A check that found what may become a trouble. */
export function warn(check: string, found: string, todo: Hint): Finding {
  return { check, result: 'warn', found, todo };
}

/** A check that found what does not work. */
export function fail(check: string, found: string, todo: Hint): Finding {
  return { check, result: 'fail', found, todo };
}

/** What an expected error says, and what its hint says to do. */
export function failureOf(check: string, error: unknown, todo: Hint): Finding {
  if (!(error instanceof Error)) return fail(check, String(error), todo);
  return fail(check, error.message, hintOf(error) ?? todo);
}
