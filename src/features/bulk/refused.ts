import { safe } from '../../platform/terminal-text.ts';
import { maxErrorsOf } from './limits.ts';

/** A row of the list that nothing is sent for, such as one that names nobody. */
export interface RefusedRow {
  /** Index in the input; undefined for what stands in no row. */
  readonly row: number | undefined;
  readonly code: string;
  /** With its place in the file. */
  readonly message: string;
}

/**
 * Whether a run may leave these out and do the rest: they are no more failures than `--max-errors` and `--fail-fast` accept, and something
 * is left.
 */
export function mayLeaveOut(
  refused: readonly RefusedRow[],
  left: number,
  limits: Parameters<typeof maxErrorsOf>[0],
): boolean {
  if (refused.length === 0) return true;
  return left > 0 && refused.length <= maxErrorsOf(limits, left + refused.length);
}

/** The lines that tell of them before a question. */
export function refusedText(refused: readonly RefusedRow[]): string {
  return [...new Set(refused.map(({ message }) => `  ! ${safe(message)}`))].join('\n');
}
