import { dayMilliseconds } from '../../platform/day.ts';
import { zoneOffset } from '../../platform/moment.ts';
import { padded, widthOf } from '../../platform/text-width.ts';
import type { Context, SearchChoice } from '../../runtime/context.ts';

/** The cells of a choice, shown in aligned columns. */
export interface ChoiceRow {
  readonly value: string;
  readonly cells: readonly string[];
  /** Further text that is searched but not shown. */
  readonly also?: readonly string[];
}

/** Number of calls, messages or events in a list: one request reads them. */
export const maxRead = 100;
/** Age of the oldest call, message or event in a list, in milliseconds. */
export const maxAge = 30 * dayMilliseconds;

/** Maximum width of an aligned column. A wider cell moves the cells after it to the right. */
const maxWidth = 32;

/** Returns the choices of rows, with their cells in aligned columns. */
export function choicesOf(rows: readonly ChoiceRow[]): readonly SearchChoice[] {
  const widths: number[] = [];
  for (const { cells } of rows) {
    for (const [at, cell] of cells.entries()) {
      widths[at] = Math.min(Math.max(widths[at] ?? 0, widthOf(cell)), maxWidth);
    }
  }
  return rows.map(({ value, cells, also }) => ({
    value,
    label: cells
      .map((cell, at) => padded(cell, widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
    also,
  }));
}

/** Returns a time to the minute, in the time zone of the output; empty for an unknown time, which is NaN. */
export function minuteText(ctx: Pick<Context, 'out'>, at: number): string {
  if (Number.isNaN(at)) return '';
  const local = at + zoneOffset(at, ctx.out.zone ?? 'UTC');
  return new Date(local).toISOString().slice(0, 16).replace('T', ' ');
}
