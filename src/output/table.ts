import { safe } from '../platform/terminal-text.ts';
import type { Column, View } from '../runtime/output.ts';
import { plainCell, relativeTime } from './cell.ts';
import { chooseColumns } from './fields.ts';
import { fit, fold, widthOf } from '../platform/text-width.ts';
import { fitColumns, type FittedColumn } from './fit-columns.ts';
import { drawGrid, gap, isolate } from './grid.ts';
import { isolateRuns } from './isolate.ts';
import type { Renderer, Rows, Surface } from './renderer.ts';
import { statusStyle } from './status-style.ts';

/** Rows that decide the widths; longer lists are printed in blocks of this many. */
const block = 1000;

/** The value of one thing is never cut: it goes on below, where there is at least some room for it. */
function foldedTo(text: string, room: number | undefined): readonly string[] {
  return room === undefined || room < 10 ? [text] : fold(text, room);
}

/** A table without lines, fitted to the terminal; piped (asked for by `-o table`) it is as wide as it needs. */
export function tableRenderer(surface: Surface): Renderer {
  const cellText = <T>(row: T, column: Column<T>): string => {
    const value = column.value(row);
    const relative = column.kind === 'time' && surface.isTerminal && typeof value === 'string';
    return safe(
      relative
        ? relativeTime(value, surface.now(), surface.zone)
        : plainCell(value, column.kind, surface.zone),
    );
  };
  const gridCell = (text: string, column: Column<never>): string =>
    paintCell(surface.isTerminal ? isolate(text) : text, column);
  const paintCell = (text: string, column: Column<never>): string => {
    if (column.kind === 'id' || column.kind === 'time') return surface.paint('dim', text);
    const style = column.kind === 'status' ? statusStyle(text) : undefined;
    return style ? surface.paint(style, text) : text;
  };
  // The widths come from the first block; in a pipe a wider cell of a later one stays whole.
  const cut = (text: string, width: number): string =>
    surface.columns === undefined ? text : fit(text, width);
  const heading = <T>(fitted: readonly FittedColumn<T>[]): string[] =>
    fitted.map(({ column, width }) => surface.paint('strong', cut(column.title, width)));
  /** The lines of one row: more than one where a column goes on below. */
  const cells = <T>(row: T, fitted: readonly FittedColumn<T>[]): string[][] => {
    const parts = fitted.map(({ column, width }) => {
      const text = cellText(row, column);
      return column.folds && surface.columns !== undefined ? fold(text, width) : [cut(text, width)];
    });
    return Array.from({ length: Math.max(...parts.map(({ length }) => length)) }, (_, line) =>
      fitted.map(({ column }, at) => gridCell(parts[at]?.[line] ?? '', column)),
    );
  };

  return {
    async list<T extends object>(rows: Rows<T>, view: View<T>) {
      let fitted: readonly FittedColumn<T>[] | undefined;
      let count = 0;
      let waiting: T[] = [];
      const flush = async (): Promise<void> => {
        if (waiting.length === 0) return;
        const isFirst = fitted === undefined;
        fitted ??= fitColumns(
          chooseColumns(view, surface, waiting),
          (column) => waiting.map((row) => cellText(row, column)),
          surface,
        );
        const layout = fitted;
        const lines = waiting.flatMap((row) => cells(row, layout));
        if (isFirst && surface.header) lines.unshift(heading(layout));
        waiting = [];
        await surface.write(
          drawGrid(
            layout.map(({ column, width }) => ({ width, right: column.kind === 'number' })),
            lines,
          ),
        );
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
      const chosen = chooseColumns(view, surface, [row]);
      // What a thing does not have is left out, unless it was asked for by name.
      const columns = surface.fields ? chosen : chosen.filter((column) => cellText(row, column) !== '');
      const labels = columns.map(({ title }) => labelOf(title));
      const label = Math.max(1, ...labels.map(widthOf));
      const room = surface.columns === undefined ? undefined : surface.columns - label - gap;
      const lines = columns.flatMap((column, at) =>
        foldedTo(cellText(row, column), room).map((text, index) => [
          index === 0 ? surface.paint('dim', labels[at] ?? column.title) : '',
          gridCell(text, column),
        ]),
      );
      const column = { width: 1, right: false };
      await surface.write(drawGrid([column, column], lines));
    },

    async stream(rows, view) {
      for await (const row of rows) {
        const text = view.line
          ? surface.marks.finish(view.line(row, surface.zone), surface.paint)
          : chooseColumns(view, surface, [row])
              .map((column) => paintCell(cellText(row, column), column))
              .join(' '.repeat(gap));
        await surface.write(`${surface.isTerminal ? isolateRuns(text) : text}\n`, view.onTaken);
      }
    },
  };
}

const initials = new Set(['ID', 'PID', 'SHA256', 'URL', 'UUID']);

/** A heading of a list as the label of one thing: `CALLS TAKEN` as `Calls taken`, `CLIENT ID` as `Client ID`. Other titles are labels already. */
function labelOf(title: string): string {
  if (title !== title.toUpperCase()) return title;
  return title
    .split(' ')
    .map((word, at) => (initials.has(word) ? word : inSentence(word, at === 0)))
    .join(' ');
}

/** Units are written small, wherever they stand. */
function inSentence(word: string, isFirst: boolean): string {
  return isFirst && word !== 'MS' ? word.slice(0, 1) + word.slice(1).toLowerCase() : word.toLowerCase();
}
