import { safe } from '../../platform/terminal-text.ts';
import { maxErrorsOf } from './limits.ts';
import { problemText, type CellPlace } from './place.ts';

/** A row of the list that nothing is sent for, such as one that names nobody. */
export interface RefusedRow {
  /** Index in the input; undefined for what stands in no row. */
  readonly row: number | undefined;
  readonly code: string;
  /** Where the list has it. Absent in runs and plans of an older version, whose message begins with the place. */
  readonly place?: CellPlace | undefined;
  readonly message: string;
}

/** Why nothing is sent for a row, in one line with its place. */
export function refusedLine({ place, message }: Pick<RefusedRow, 'place' | 'message'>): string {
  return problemText({ place, text: message });
}

/** The same for several rows, each line once. */
export function refusedLines(refused: readonly RefusedRow[]): readonly string[] {
  return [...new Set(refused.map(refusedLine))];
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
  return refusedLines(refused)
    .map((line) => `  ! ${safe(line)}`)
    .join('\n');
}
