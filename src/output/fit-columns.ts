import type { Column } from '../runtime/output.ts';
import { widthOf } from '../platform/text-width.ts';
import { gap } from './grid.ts';
import type { Surface } from './renderer.ts';

/** Minimum width of a cell of several words, unless the column has its own. */
const readable = 16;

/** Kinds whose values are useless when truncated. Values longer than `exactWidth` are lists and may be truncated. */
const exactKinds: ReadonlySet<string | undefined> = new Set(['id', 'phone', 'time', 'status', 'number']);
const exactWidth = 24;

/** Share of the terminal that sentences get before less important columns are shown. */
const sentenceShare = 0.3;

/** Minimum width of a column of sentences that may move below its row. */
const readableSentence = 24;

/** Width of most names with their number, such as `+1 650 555 0113 (José Álvarez)`. */
const wholeName = 32;

/** Columns with a lower priority count as details. */
const detailsBelow = 5;

/** Importance of a column without a priority. */
const always = 100;

export interface FittedColumn<T> {
  readonly column: Column<T>;
  readonly width: number;
}

/** The layout of a list. */
export interface Layout<T> {
  readonly shown: readonly FittedColumn<T>[];
  /** Columns that do not fit, and whose values are shown on a line below their row. */
  readonly below: readonly Column<T>[];
  /** Titles of all other columns that do not fit the terminal; those without values are marked. */
  readonly hidden: readonly string[];
}

/** A column with its widths, all in terminal columns. */
interface Measured<T> extends FittedColumn<T> {
  /** The minimum width at which the column is readable. */
  readonly least: number;
  /** Columns without values are hidden before all others. */
  readonly isEmpty: boolean;
}

/**
 * Selects the most important columns that fit the terminal with readable cells. Columns with sentences get the
 * remaining width first. The columns in `omitted` are hidden.
 */
export function fitColumns<T>(
  columns: readonly Column<T>[],
  cells: (column: Column<T>) => readonly string[],
  { header, columns: limit }: Pick<Surface, 'header' | 'columns'>,
  omitted: readonly Column<T>[] = [],
): Layout<T> {
  const measured = columns.map((column) => measure(column, cells(column), header, limit));
  if (limit === undefined) return { shown: measured, below: [], hidden: [] };
  const shown = selected(
    measured.filter(({ column }) => !omitted.includes(column)),
    limit,
  );
  const others = measured.filter((one) => !shown.includes(one));
  const isBelow = ({ column, isEmpty }: Measured<T>): boolean => column.below !== undefined && !isEmpty;
  return {
    shown: widened(shown, limit),
    below: others.filter(isBelow).map(({ column }) => column),
    hidden: others
      .filter((one) => !isBelow(one))
      .map(({ column, isEmpty }) => (isEmpty ? `${column.title} (empty)` : column.title)),
  };
}

function measure<T>(
  column: Column<T>,
  cells: readonly string[],
  header: boolean,
  limit = Number.POSITIVE_INFINITY,
): Measured<T> {
  const title = header ? widthOf(column.title) : 1;
  const widths = cells.map(widthOf);
  const width = Math.max(title, ...widths);
  const isEmpty = widths.every((cell) => cell === 0);
  if (column.whole || (exactKinds.has(column.kind) && width <= exactWidth))
    return { column, width, least: width, isEmpty };
  // Longer words, such as paths and addresses, may be cut.
  const longest = Math.max(exactWidth, Math.floor(limit / 2));
  // A truncated name is useful, because its number follows if other names look the same.
  const words =
    column.apartBy === undefined
      ? widths.filter((cell, at) => cell <= longest && !cells[at]?.includes(' '))
      : [];
  const room = column.least ?? (column.folds ? sentenceRoom(column, limit) : readable);
  return { column, width, least: Math.max(title, ...words, Math.min(width, room)), isEmpty };
}

/** Minimum width of a column of sentences. A narrow sentence moves below its row, where it has the whole width. */
function sentenceRoom({ below }: Pick<Column<never>, 'below'>, limit: number): number {
  const share = Math.floor(limit * sentenceShare);
  return below === undefined ? share : Math.max(share, readableSentence);
}

/**
 * Returns the columns that fit, in their order: the most important column, and each further column for which there is
 * room. Details are shown only if they take no width from names. After a column was hidden, less important columns are
 * shown only if they take no width from sentences, and IDs are never shown. Columns without values are shown only if
 * all other columns are shown with their full width.
 */
function selected<T>(columns: readonly Measured<T>[], limit: number): readonly Measured<T>[] {
  const chosen = new Set<Measured<T>>();
  let used = -gap;
  let isSomeHidden = false;
  const missing = { sentences: 0, names: 0 };
  for (const one of columns.toSorted((a, b) => importance(b) - importance(a))) {
    const { column, width, least } = one;
    if (one.isEmpty && chosen.size > 0) {
      if (!isSomeHidden && fullWidth([...chosen, one]) <= limit) chosen.add(one);
      continue;
    }
    const isDetail = (column.priority ?? always) < detailsBelow;
    // An ID does not replace a name that does not fit.
    if (isSomeHidden && isDetail && column.kind === 'id') continue;
    const needed = used + gap + least + reserved(missing, { isSomeHidden, isDetail });
    if (chosen.size > 0 && needed > limit) {
      isSomeHidden ||= column.below === undefined;
      continue;
    }
    chosen.add(one);
    used += gap + least;
    // A name with its number is wrapped only if details are hidden, too.
    if (column.folds && column.kind !== 'phone') missing.sentences += width - least;
    else missing.names += Math.max(0, Math.min(width, wholeName) - least);
  }
  return columns.filter((one) => chosen.has(one));
}

/** Returns the width that a column must leave to sentences and names. */
function reserved(
  missing: { readonly sentences: number; readonly names: number },
  { isSomeHidden, isDetail }: { readonly isSomeHidden: boolean; readonly isDetail: boolean },
): number {
  return (isSomeHidden ? missing.sentences : 0) + (isDetail ? missing.names : 0);
}

function fullWidth(columns: readonly Measured<never>[]): number {
  return columns.reduce((sum, { width }) => sum + width, gap * (columns.length - 1));
}

function importance({ column, isEmpty }: Measured<never>): number {
  return isEmpty ? 0 : (column.priority ?? always) + 1;
}

/** Distributes the remaining width: to sentences, then to the columns that need most. */
function widened<T>(columns: readonly Measured<T>[], limit: number): readonly FittedColumn<T>[] {
  const room = limit - gap * (columns.length - 1);
  const widths = columns.map(({ column, least }) => (column.whole ? least : Math.min(least, room)));
  let left = room - widths.reduce((sum, width) => sum + width, 0);
  const missing = (at: number): number => (columns[at]?.width ?? 0) - (widths[at] ?? 0);
  for (const isSentence of [true, false]) {
    const some = columns.flatMap(({ column }, at) => (Boolean(column.folds) === isSentence ? [at] : []));
    for (; left > 0; left -= 1) {
      const [neediest] = some.toSorted((a, b) => missing(b) - missing(a));
      if (neediest === undefined || missing(neediest) <= 0) break;
      widths[neediest] = (widths[neediest] ?? 0) + 1;
    }
  }
  return columns.map(({ column }, at) => ({ column, width: widths[at] ?? 1 }));
}
