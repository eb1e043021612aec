import type { Column } from '../runtime/output.ts';
import { widthOf } from './fit.ts';
import { GAP } from './grid.ts';
import type { Surface } from './renderer.ts';

/** No column is squeezed below this before others are left out. */
const readable = 8;

export interface FittedColumn<T> {
  readonly column: Column<T>;
  readonly width: number;
}

/** Natural widths; then columns go, lowest priority first, while the rest would be unreadable; then the widest shrink. */
export function fitColumns<T>(
  columns: readonly Column<T>[],
  cells: (column: Column<T>) => readonly string[],
  surface: Pick<Surface, 'header' | 'columns'>,
): readonly FittedColumn<T>[] {
  const natural = columns.map((column) => ({
    column,
    width: Math.max(surface.header ? widthOf(column.title) : 1, ...cells(column).map(widthOf)),
  }));
  if (surface.columns === undefined) return natural;
  const limit = surface.columns;
  let kept = natural;
  while (kept.length > 1 && smallest(kept) > limit) {
    const lowest = Math.min(...kept.map(({ column }) => column.priority ?? 100));
    const leave = kept.findLastIndex(({ column }) => (column.priority ?? 100) === lowest);
    kept = kept.filter((_, index) => index !== leave);
  }
  return shrink(kept, limit - GAP * (kept.length - 1));
}

function smallest(columns: readonly FittedColumn<never>[]): number {
  return columns.reduce(
    (sum, { column, width }) => sum + (column.whole ? width : Math.min(width, readable)) + GAP,
    columns.length > 0 ? -GAP : 0,
  );
}

function shrink<T>(columns: readonly FittedColumn<T>[], room: number): readonly FittedColumn<T>[] {
  const widths = columns.map(({ width }) => width);
  let excess = widths.reduce((sum, width) => sum + width, 0) - room;
  while (excess > 0) {
    const widest = Math.max(0, ...widths.filter((_, index) => !columns[index]?.column.whole));
    if (widest <= 1) break;
    const at = widths.findIndex((width, index) => width === widest && !columns[index]?.column.whole);
    widths[at] = widest - 1;
    excess -= 1;
  }
  return columns.map(({ column }, index) => ({ column, width: widths[index] ?? 1 }));
}
