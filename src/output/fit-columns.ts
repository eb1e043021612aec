import type { Column } from '../runtime/output.ts';
import { widthOf } from '../platform/text-width.ts';
import { gap } from './grid.ts';
import type { Surface } from './renderer.ts';

/** No column is squeezed below this before others are left out. */
const readable = 8;

/** Values of these kinds say nothing when they are cut, unless they are lists, and then longer than this. */
const exactKinds: ReadonlySet<string | undefined> = new Set(['id', 'phone', 'time', 'status', 'number']);
const exactWidth = 24;

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
  return shrink(kept, limit - gap * (kept.length - 1));
}

function smallest(columns: readonly FittedColumn<never>[]): number {
  return columns.reduce((sum, fitted) => sum + least(fitted) + gap, columns.length > 0 ? -gap : 0);
}

/** The width below which a column says too little. */
function least({ column, width }: FittedColumn<never>): number {
  const isExact = exactKinds.has(column.kind) && width <= exactWidth;
  return column.whole || isExact ? width : Math.min(width, column.least ?? readable);
}

function shrink<T>(columns: readonly FittedColumn<T>[], room: number): readonly FittedColumn<T>[] {
  const widths = columns.map(({ width }) => width);
  const floors = columns.map(least);
  const mayGo = (at: number, floor: number): boolean => {
    const width = widths[at] ?? 0;
    return !columns[at]?.column.whole && width > floor;
  };
  let excess = widths.reduce((sum, width) => sum + width, 0) - room;
  while (excess > 0) {
    // First what can be cut and still be read; where that is not enough, anything.
    const soft = widths.map((_, at) => mayGo(at, floors[at] ?? 1));
    const able = soft.includes(true) ? soft : widths.map((_, at) => mayGo(at, 1));
    const widest = Math.max(0, ...widths.filter((_, at) => able[at]));
    const at = widths.findIndex((width, index) => able[index] && width === widest);
    if (at < 0) break;
    widths[at] = widest - 1;
    excess -= 1;
  }
  return columns.map(({ column }, index) => ({ column, width: widths[index] ?? 1 }));
}
