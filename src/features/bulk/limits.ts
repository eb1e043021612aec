import { usageError } from '../../errors/command.ts';
import { isJsonObject } from '../../platform/json.ts';

/**
 * Reads `N` or `P%` of `total`, rounded down.
 * @throws {RangeError} The message continues a sentence that begins with the name of the option.
 */
export function readShare(text: string, total: number): number {
  const parts = /^(\d{1,9})(%?)$/.exec(text.trim());
  if (!parts) throw new RangeError(`requires a number or a percentage such as 20%, not "${text}"`);
  const value = Number(parts[1]);
  if (parts[2] === '') return value;
  if (value > 100) throw new RangeError(`must be at most 100%, not "${text}"`);
  return Math.floor((total * value) / 100);
}

/** Whether a value of a saved plan is a limit: `N` or `P%`, and the number that is always allowed. */
export function isShareLimit(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { given, atLeast } = value;
  return typeof given === 'string' && /^\d{1,9}%?$/.test(given) && typeof atLeast === 'number';
}

/** Whether a value of a saved plan is a list of texts. */
export function areTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/**
 * Returns the number of failures that `--fail-fast` or `--max-errors` accepts.
 * @throws {CommandError} `usage` for an invalid number.
 */
export function maxErrorsOf(
  { failFast, maxErrors }: { readonly failFast?: boolean; readonly maxErrors?: string },
  total: number,
): number {
  if (failFast) return 0;
  if (maxErrors === undefined) return Number.POSITIVE_INFINITY;
  try {
    return readShare(maxErrors, total);
  } catch (error) {
    throw usageError(`--max-errors ${(error as Error).message}`);
  }
}
