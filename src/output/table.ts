import { safe } from '../platform/terminal-text.ts';
import type { Column, View } from '../runtime/output.ts';
import { plainCell, relativeTime } from './cell.ts';
import { chooseColumns } from './fields.ts';
import { fit, widthOf } from './fit.ts';
import type { Renderer, Rows, Surface } from './renderer.ts';
import { statusStyle } from './status-style.ts';

const gap = 2;
/** No column is squeezed below this before others are left out. */
const readable = 8;
/** Rows that decide the widths; longer lists are printed in blocks of this many. */
const block = 1000;

interface FittedColumn<T> {
  readonly column: Column<T>;
  readonly width: number;
}

/** A table without lines, fitted to the terminal; piped (asked for by `-o table`) it is as wide as it needs. */
export function tableRenderer(surface: Surface): Renderer {
  const cellText = <T>(row: T, column: Column<T>): string => {
    const value = column.value(row);
    const relative = column.kind === 'time' && surface.isTerminal && typeof value === 'string';
    return safe(relative ? relativeTime(value, surface.now()) : plainCell(value, column.kind));
  };
  const paintCell = (text: string, column: Column<never>): string => {
    if (column.kind === 'id' || column.kind === 'time') return surface.paint('dim', text);
    const style = column.kind === 'status' ? statusStyle(text) : undefined;
    return style ? surface.paint(style, text) : text;
  };
  const line = (cells: readonly string[]): string => `${cells.join(' '.repeat(gap)).trimEnd()}\n`;

  // The widths come from the first block; in a pipe a wider cell of a later one stays whole.
  const cut = (text: string, width: number): string =>
    surface.columns === undefined ? text : fit(text, width);

  const headerLine = <T>(fitted: readonly FittedColumn<T>[]): string =>
    line(
      fitted.map(({ column, width }) =>
        aligned(cut(column.title, width), width, column, (title) => surface.paint('strong', title)),
      ),
    );
  const rowLine = <T>(row: T, fitted: readonly FittedColumn<T>[]): string =>
    line(
      fitted.map(({ column, width }) =>
        aligned(cut(cellText(row, column), width), width, column, (text) => paintCell(text, column)),
      ),
    );

  return {
    async list<T extends object>(rows: Rows<T>, view: View<T>) {
      let fitted: readonly FittedColumn<T>[] | undefined;
      let count = 0;
      let waiting: T[] = [];
      const flush = async (): Promise<void> => {
        const first = waiting[0];
        if (!first) return;
        let text = '';
        if (!fitted) {
          fitted = fitColumns(chooseColumns(view, surface.fields, first), waiting, cellText, surface);
          if (surface.header) text = headerLine(fitted);
        }
        const layout = fitted;
        text += waiting.map((row) => rowLine(row, layout)).join('');
        waiting = [];
        await surface.write(text);
      };
      for await (const row of rows) {
        waiting.push(row);
        count += 1;
        if (waiting.length >= block) await flush();
      }
      await flush();
      return count;
    },

    async record(row, view) {
      const chosen = chooseColumns(view, surface.fields, row);
      // What a thing does not have is left out, unless it was asked for by name.
      const columns = surface.fields ? chosen : chosen.filter((column) => cellText(row, column) !== '');
      const width = Math.max(0, ...columns.map((column) => widthOf(column.title)));
      const lines = columns.map((column) => {
        const title = aligned(column.title, width, { ...column, kind: 'text' }, (text) =>
          surface.paint('dim', text),
        );
        return line([title, paintCell(cellText(row, column), column)]);
      });
      await surface.write(lines.join(''));
    },

    async stream(rows, view) {
      for await (const row of rows) {
        const text = view.line
          ? surface.marks.finish(view.line(row), surface.paint)
          : chooseColumns(view, surface.fields, row)
              .map((column) => paintCell(cellText(row, column), column))
              .join(' '.repeat(gap));
        await surface.write(`${text}\n`);
      }
    },
  };
}

/** Numbers stand at the right; the spaces around a painted text are not painted. */
function aligned(
  text: string,
  width: number,
  column: Column<never>,
  paint: (text: string) => string,
): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return column.kind === 'number' ? space + paint(text) : paint(text) + space;
}

/** Natural widths; then columns go, lowest priority first, while the rest would be unreadable; then the widest shrink. */
function fitColumns<T>(
  columns: readonly Column<T>[],
  rows: readonly T[],
  cellText: (row: T, column: Column<T>) => string,
  surface: Surface,
): readonly FittedColumn<T>[] {
  const natural = columns.map((column) => ({
    column,
    width: Math.max(
      surface.header ? widthOf(column.title) : 1,
      ...rows.map((row) => widthOf(cellText(row, column))),
    ),
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
  return columns.reduce(
    (sum, { width }) => sum + Math.min(width, readable) + gap,
    columns.length > 0 ? -gap : 0,
  );
}

function shrink<T>(columns: readonly FittedColumn<T>[], room: number): readonly FittedColumn<T>[] {
  const widths = columns.map(({ width }) => width);
  let excess = widths.reduce((sum, width) => sum + width, 0) - room;
  while (excess > 0) {
    const widest = Math.max(...widths);
    if (widest <= 1) break;
    widths[widths.indexOf(widest)] = widest - 1;
    excess -= 1;
  }
  return columns.map(({ column }, index) => ({ column, width: widths[index] ?? 1 }));
}
