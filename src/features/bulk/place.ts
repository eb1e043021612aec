import { counted, isOrAre } from '../../platform/counted.ts';
import { usageError, type CommandError } from '../../runtime/errors.ts';

/** Where a row stands in a file: for messages like `agents.csv:17:extension`. */
export interface Place {
  readonly file: string;
  /** From 1; of the row's first line. */
  readonly line: number;
}

/** `file:line:column: text`, or the text alone. */
export function atPlace(place: Place | undefined, column: string, text: string): string {
  return place ? `${place.file}:${place.line}:${column}: ${text}` : text;
}

/** Problems of a list, each with the lines that tell it, as they stand in the file; what is about the whole list comes first. */
export function inFileOrder(problems: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return problems.toSorted(([one = ''], [other = '']) => lineOf(one) - lineOf(other));
}

function lineOf(problem: string): number {
  return Number(/^.*?:(\d+):/u.exec(problem)?.[1] ?? 0);
}

/** A list that cannot be carried out as it is, with its problems as `inFileOrder` gives them. */
export function listError(problems: readonly (readonly string[])[]): CommandError {
  return usageError(
    `there ${isOrAre(problems.length)} ${counted(problems.length, 'problem')} in the list`,
    'correct the list and run it again; nothing was sent',
    problems.flat(),
  );
}
