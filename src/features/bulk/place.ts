import { counted, isOrAre } from '../../platform/counted.ts';
import { usageError, type CommandError } from '../../errors/command.ts';

/** The place of a row in a file. */
export interface Place {
  readonly file: string;
  /** From 1; of the row's first line. */
  readonly line: number;
}

/** The place of a cell in a file, shown as `agents.csv:17:extension`. */
export interface CellPlace extends Place {
  /** The heading of its column, or its position where it has none. */
  readonly column: string;
}

/** One thing that is wrong with a list. */
export interface ListProblem {
  /** Undefined for what concerns the whole list, or was given by options. */
  readonly place: CellPlace | undefined;
  readonly text: string;
  /** Further lines, such as the candidates of an ambiguous name. */
  readonly more?: readonly string[] | undefined;
}

/** The cell of a column in a row; undefined where the row has no place in a file. */
export function cellPlace(place: Place | undefined, column: string): CellPlace | undefined {
  return place && { file: place.file, line: place.line, column };
}

/** A problem in one line: `file:line:column: text`, or the text alone where it has no place. */
export function problemText({ place, text }: Pick<ListProblem, 'place' | 'text'>): string {
  return place ? `${place.file}:${place.line}:${place.column}: ${text}` : text;
}

/** Problems in the order of the file; what concerns the whole list comes first. */
export function inFileOrder(problems: readonly ListProblem[]): readonly ListProblem[] {
  return problems.toSorted((one, other) => (one.place?.line ?? 0) - (other.place?.line ?? 0));
}

/** Every problem with its further lines below it. */
export function problemLines(problems: readonly ListProblem[]): readonly string[] {
  return problems.flatMap((problem) => [problemText(problem), ...(problem.more ?? [])]);
}

/** A list that cannot be applied as it is, with its problems in the order of the file. */
export function listError(problems: readonly ListProblem[]): CommandError {
  return usageError(
    `there ${isOrAre(problems.length)} ${counted(problems.length, 'problem')} in the list`,
    'correct the list and run it again; nothing was sent',
    problemLines(inFileOrder(problems)),
  );
}
