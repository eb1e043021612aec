import { hintOf } from '../../errors/hint-of.ts';
import type { Hint } from '../../errors/hint.ts';

/** Result of one check. */
export interface Finding {
  readonly check: string;
  readonly result: 'ok' | 'warn' | 'fail';
  /** Description of the result. */
  readonly found: string;
  /** The fix; undefined if nothing needs to be fixed. */
  readonly todo?: Hint | undefined;
}

/** Creates the finding of a check that passed. */
export function ok(check: string, found: string): Finding {
  return { check, result: 'ok', found };
}

/** Creates the finding of a check that found a possible problem. */
export function warn(check: string, found: string, todo: Hint): Finding {
  return { check, result: 'warn', found, todo };
}

/** Creates the finding of a check that failed. */
export function fail(check: string, found: string, todo: Hint): Finding {
  return { check, result: 'fail', found, todo };
}

/** Creates a failed finding from an error. The fix is the hint of the error, or `todo` if the error has no hint. */
export function failureOf(check: string, error: unknown, todo: Hint): Finding {
  if (!(error instanceof Error)) return fail(check, String(error), todo);
  return fail(check, error.message, hintOf(error) ?? todo);
}
