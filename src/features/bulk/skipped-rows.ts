import { safe } from '../../platform/terminal-text.ts';
import type { Detail } from '../../errors/command.ts';
import { maxErrorsOf } from './limits.ts';
import {
  inFileOrder,
  moreProblems,
  furtherText,
  problemDetail,
  problemText,
  shownProblems,
  type CellPlace,
  type ListProblem,
} from './place.ts';

/** A row of a list that is skipped, for example because its name was not found. */
export interface SkippedRow {
  /** Index in the input; undefined for names that were given as arguments. */
  readonly row: number | undefined;
  readonly code: string;
  /** Absent in runs and plans of an older version, whose message begins with the place. */
  readonly place?: CellPlace | undefined;
  readonly message: string;
}

/** Returns the reason why a row is skipped, in one line with its place. */
export function skippedLine({ place, message }: Pick<SkippedRow, 'place' | 'message'>): string {
  return problemText({ place, text: message });
}

/** Returns the reason why a row is skipped, as a further line of an error. */
export function skippedDetail({ place, message }: Pick<SkippedRow, 'place' | 'message'>): Detail {
  return problemDetail({ place, text: message });
}

/** Returns the reasons why rows are skipped, without duplicate lines. A long list is truncated. */
export function skippedLines(skipped: readonly SkippedRow[]): readonly Detail[] {
  const lines = [...new Map(skipped.map((row) => [skippedLine(row), skippedDetail(row)])).values()];
  return [...lines.slice(0, shownProblems), ...moreProblems(lines.length)];
}

/**
 * Whether a run may skip these rows and make the remaining changes: `--max-errors` and `--fail-fast` accept that many
 * failures, and at least one change remains.
 */
export function maySkip(
  skipped: readonly SkippedRow[],
  left: number,
  limits: Parameters<typeof maxErrorsOf>[0],
): boolean {
  if (skipped.length === 0) return true;
  return left > 0 && skipped.length <= maxErrorsOf(limits, left + skipped.length);
}

/** Returns the skipped rows as lines, shown before the confirmation. */
export function skippedText(skipped: readonly SkippedRow[]): string {
  return skippedLines(skipped)
    .map((line) => `  ! ${safe(typeof line === 'string' ? line : line.people)}`)
    .join('\n');
}

/** Returns the rows that contain problems, each row once with all of its problems. */
export function skippedProblems(problems: readonly ListProblem[]): readonly SkippedRow[] {
  const rows = new Map<number, SkippedRow>();
  for (const problem of inFileOrder(problems)) {
    const { isOfRow, place, row, text } = problem;
    if (!isOfRow || !place) continue;
    const earlier = rows.get(place.line);
    rows.set(
      place.line,
      earlier
        ? { ...earlier, message: `${earlier.message}; ${furtherText(problem)}` }
        : { row, code: 'invalid_row', place, message: text },
    );
  }
  return [...rows.values()];
}
