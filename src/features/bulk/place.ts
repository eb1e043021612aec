import { plural } from '../../platform/counted.ts';
import { usageError, type CommandError, type Detail } from '../../errors/command.ts';

/** The place of a row in a file. */
export interface Place {
  readonly file: string;
  /** Number of the row's first line, starting with 1. */
  readonly line: number;
  /** The headings of the file by field, if they differ from the names of the fields. */
  readonly headings?: Readonly<Record<string, string>>;
}

/** The place of a cell in a file, printed as `agents.csv:17:extension` for programs. */
export interface CellPlace extends Omit<Place, 'headings'> {
  /** The heading of the column; its position if the column has no heading. */
  readonly column: string;
}

/** A problem in a list. */
export interface ListProblem {
  /** The cell with the problem; undefined for a problem of the whole list, or of options. */
  readonly place: CellPlace | undefined;
  readonly text: string;
  /** Further lines, such as the candidates of an ambiguous name. */
  readonly more?: readonly string[] | undefined;
  /**
   * Whether the problem concerns only its row, which --skip-invalid can skip. Problems of headings, of CSV syntax and
   * contradictions concern the list as a whole.
   */
  readonly isOfRow?: boolean;
  /** Index of the row in the input of the run; absent if the input has no such row. */
  readonly row?: number | undefined;
}

/** Returns the cell of a column in a row; undefined if the row comes from options. */
export function cellPlace(place: Place | undefined, column: string): CellPlace | undefined {
  return place && { file: place.file, line: place.line, column: place.headings?.[column] ?? column };
}

/**
 * Formats a problem in one line, for programs: `file:line:column: text`, or the text alone if the problem has no place.
 */
export function problemText({ place, text }: Pick<ListProblem, 'place' | 'text'>): string {
  return place ? `${place.file}:${place.line}:${place.column}: ${text}` : text;
}

/** Formats a problem for people: `agents.csv, line 2, column queue: ...`. */
export function problemForPeople({ place, text }: Pick<ListProblem, 'place' | 'text'>): string {
  return place ? `${place.file}, line ${place.line}, column ${place.column}: ${text}` : text;
}

/** Formats a second problem of the same row, without file and line. */
export function furtherText({ place, text }: Pick<ListProblem, 'place' | 'text'>): string {
  return place ? `column ${place.column}: ${text}` : text;
}

/** Formats a problem as a further line of an error. */
export function problemDetail(problem: Pick<ListProblem, 'place' | 'text'>): Detail {
  return problem.place ? { machine: problemText(problem), people: problemForPeople(problem) } : problem.text;
}

/** Sorts problems by line; problems of the whole list come first. */
export function inFileOrder(problems: readonly ListProblem[]): readonly ListProblem[] {
  return problems.toSorted((one, other) => (one.place?.line ?? 0) - (other.place?.line ?? 0));
}

/** Formats every problem with its further lines below. */
export function problemLines(problems: readonly ListProblem[]): readonly Detail[] {
  return problems.flatMap((problem) => [problemDetail(problem), ...(problem.more ?? [])]);
}

/** Maximum number of problems that are listed on the terminal; `--errors` writes all of them. */
export const shownProblems = 20;

/** Returns the line below a truncated list of problems; no line for a short list. */
export function moreProblems(count: number, errorsFile?: string): readonly string[] {
  const more = count - shownProblems;
  if (more <= 0) return [];
  const rest =
    errorsFile === undefined
      ? 'use --errors FILE to write all problems to a file'
      : `all problems are in ${errorsFile}`;
  return [`… and ${more.toLocaleString('en-US')} more: ${rest}`];
}

/** The options with which a list with problems was read. */
export interface RejectedListOptions {
  /** The file with all problems, if there is one. */
  readonly errors?: string | undefined;
  /** Whether --skip-invalid was set, although the list cannot be used. */
  readonly skipInvalid?: boolean | undefined;
  /** False if the command has no --skip-invalid. */
  readonly canSkip?: boolean | undefined;
}

/** Returns the error for a list with problems (exit 2). */
export function listError(
  problems: readonly ListProblem[],
  { errors, skipInvalid, canSkip = true }: RejectedListOptions = {},
): CommandError {
  const all = distinctProblems(problems);
  const isSkippable = all.every(({ isOfRow }) => isOfRow);
  const skips = canSkip && isSkippable && !skipInvalid ? ', or skip these rows with --skip-invalid' : '';
  const isMixed = skipInvalid === true && !isSkippable && all.some(({ isOfRow }) => isOfRow);
  const fixesMarked = isMixed ? ' (with --skip-invalid, only the marked problems)' : '';
  const listed = isMixed ? withMarks(all) : all;
  return usageError(
    `${all.length.toLocaleString('en-US')} ${plural(all.length, 'problem')} in the list`,
    `fix the list${fixesMarked} and run the command again${skips}; nothing was sent`,
    [...problemLines(listed.slice(0, shownProblems)), ...moreProblems(all.length, errors)],
  );
}

/**
 * Marks the problems that concern several rows or the whole list, because --skip-invalid skips only single rows. In a
 * long list, which is truncated, the marked problems come first.
 */
function withMarks(problems: readonly ListProblem[]): readonly ListProblem[] {
  const marked = problems.map((one) =>
    one.isOfRow
      ? one
      : { ...one, text: `${one.text} (--skip-invalid skips only problems of single rows, and not this one)` },
  );
  if (marked.length <= shownProblems) return marked;
  return [...marked.filter(({ isOfRow }) => !isOfRow), ...marked.filter(({ isOfRow }) => isOfRow)];
}

/** Returns the problems in the order of the file, without duplicates. */
export function distinctProblems(problems: readonly ListProblem[]): readonly ListProblem[] {
  return [...new Map(inFileOrder(problems).map((problem) => [problemText(problem), problem])).values()];
}
