import { fit } from '../platform/text-width.ts';
import type { Column } from '../runtime/output.ts';
import type { FittedColumn, Layout } from './fit-columns.ts';

/** Returns the text of a cell. */
type TextOf<T> = (row: T, column: Column<T>) => string;

/** The ends of cells in a column that must not be truncated, e.g. ` (104)`. Cells without an end are not in the map. */
type Ends<T> = ReadonlyMap<T, string>;

/**
 * Returns the columns of names whose numbers are hidden, with the columns of these numbers. `columns` are all columns
 * that the list may show.
 */
export function apartColumns<T>(
  columns: readonly Column<T>[],
  { shown }: Pick<Layout<T>, 'shown'>,
): ReadonlyMap<Column<T>, Column<T>> {
  const isShown = new Set(shown.map(({ column }) => column));
  const pairs = columns.flatMap((column) => {
    const by = columns.find(({ key }) => key === column.apartBy);
    return by && isShown.has(column) && !isShown.has(by) ? [[column, by] as const] : [];
  });
  return new Map(pairs);
}

/** Returns the ends of the cells that look the same in a column of this width. */
export function endsOf<T>(
  rows: readonly T[],
  { column, width }: FittedColumn<T>,
  by: Column<T>,
  textOf: TextOf<T>,
): Ends<T> {
  const shown = rows.map((row) => fit(textOf(row, column), width));
  const counts = new Map<string, number>();
  for (const text of shown) counts.set(text, (counts.get(text) ?? 0) + 1);
  const ends = rows.flatMap((row, at) => {
    const number = textOf(row, by);
    const isUnique = counts.get(shown[at] ?? '') === 1;
    return isUnique || number === '' ? [] : [[row, ` (${number})`] as const];
  });
  return new Map(ends);
}
