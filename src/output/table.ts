import type { Column, View } from '../runtime/output.ts';
import { shownCell } from './cell.ts';
import { chooseColumns } from './fields.ts';
import { fit, fold, widthOf } from '../platform/text-width.ts';
import { fitColumns, type FittedColumn, type Layout } from './fit-columns.ts';
import { drawGrid, gap, isolate } from './grid.ts';
import { isolateRuns } from '../platform/isolate.ts';
import type { Renderer, Rows, Surface } from './renderer.ts';
import { apartColumns, endsOf } from './equal-names.ts';
import { statusStyle } from './status-style.ts';

/** Rows per block. The first block decides the column widths. */
const block = 1000;

/** Returns the line or lines of an event, with escaped control characters. */
function finished(lines: string | readonly string[], { marks, paint }: Surface): string {
  return (typeof lines === 'string' ? [lines] : lines).map((line) => marks.finish(line, paint)).join('\n');
}

/** End of the heading of times that are in UTC because no zone was selected. */
const zoneMark = ' (UTC)';

/** Spaces before the values below a row. */
const belowIndent = 2;

/** Wraps the value of a record instead of truncating it, if at least 10 columns are available. */
function foldedTo(text: string, room: number | undefined): readonly string[] {
  return room === undefined || room < 10 ? [text] : fold(text, room);
}

/** Wraps a cell of a list to at most this many lines; the last one ends with `…` if more text follows. */
function foldedInto(text: string, width: number, most: true | number): readonly string[] {
  const lines = fold(text, width);
  if (most === true || lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), fit(lines.slice(most - 1).join(' '), width)];
}

/** Formats the cells of a table for its terminal or pipe. */
class Cells {
  readonly #surface: Surface;

  constructor(surface: Surface) {
    this.#surface = surface;
  }

  text<T>(row: T, column: Column<T>, isRecord = false): string {
    return shownCell(row, column, this.#surface, isRecord);
  }

  /** Returns a text in the color of its column. */
  paint(text: string, column: Column<never>): string {
    const { paint } = this.#surface;
    if (column.kind === 'id' || column.kind === 'time') return paint('dim', text);
    const style = column.kind === 'status' ? statusStyle(text) : undefined;
    return style ? paint(style, text) : text;
  }

  /** Returns a colored text that does not reorder other cells of its line. */
  inGrid(text: string, column: Column<never>): string {
    return this.paint(this.#surface.isTerminal ? isolate(text) : text, column);
  }

  /** Returns the heading of a list. */
  heading<T>(fitted: readonly FittedColumn<T>[]): string[] {
    return fitted.map(({ column, width }) => this.#surface.paint('strong', this.#cut(column.title, width)));
  }

  /** Returns the lines of one row of a list; several if a cell is wrapped. `endOf` gives the end of a cell that is not truncated. */
  lines<T>(
    row: T,
    fitted: readonly FittedColumn<T>[],
    endOf: (column: Column<T>) => string = () => '',
  ): string[][] {
    const parts = fitted.map(({ column, width }) => {
      const text = this.text(row, column);
      const end = endOf(column);
      return column.folds && this.#surface.columns !== undefined
        ? foldedInto(text, width, column.folds)
        : [`${this.#cut(text, width - widthOf(end))}${end}`];
    });
    return Array.from({ length: Math.max(...parts.map(({ length }) => length)) }, (_, line) =>
      fitted.map(({ column }, at) => this.inGrid(parts[at]?.[line] ?? '', column)),
    );
  }

  /** Returns the values of a row that have no column, each on a separate line. */
  below<T>(row: T, columns: readonly Column<T>[]): string[] {
    const limit = this.#surface.columns;
    if (limit === undefined) return [];
    const room = Math.max(1, limit - belowIndent);
    const texts = columns.flatMap((column) => {
      const text = this.text(row, column);
      return text === '' ? [] : [{ text: `${column.below ?? ''}${text}`, most: column.folds ?? true }];
    });
    const joined = texts.map(({ text }) => text).join(' ');
    const lines =
      widthOf(joined) <= room ? [joined] : texts.flatMap(({ text, most }) => foldedInto(text, room, most));
    return lines
      .filter((line) => line !== '')
      .map((line) => `${' '.repeat(belowIndent)}${this.#surface.isTerminal ? isolateRuns(line) : line}`);
  }

  /** Truncates a text to its column. In a pipe, a cell of a later block that is wider than its column is not truncated. */
  #cut(text: string, width: number): string {
    return this.#surface.columns === undefined ? text : fit(text, width);
  }
}

/** Rows with the lines of their cells, and the lines of the heading. */
interface DrawnRows<T> {
  readonly rows: readonly T[];
  readonly lines: readonly (readonly string[][])[];
  readonly heading: readonly (readonly string[])[];
}

/** Returns the lines of a row and the values below it, which use the free space of wrapped lines if all of them fit. */
function joined(lines: readonly string[], below: readonly string[]): readonly string[] {
  const [first = '', ...wrapped] = lines;
  const free = (line = ''): number => line.length - line.trimStart().length;
  const isFree = below.every((text, at) => widthOf(text) + gap <= free(wrapped[at]));
  if (!isFree) return [...lines, ...below];
  const merged = (line: string, text = ''): string => `${text}${line.slice(widthOf(text))}`;
  return [first, ...wrapped.map((line, at) => merged(line, below[at]))];
}

/** Returns a column of times whose heading names the zone. */
function inUtc<T>(column: Column<T>): Column<T> {
  return { ...column, title: `${column.title}${zoneMark}` };
}

/** The layout of a list, with the hidden columns of numbers that tell equal names apart. */
interface ListLayout<T> extends Pick<Layout<T>, 'shown' | 'below'> {
  readonly apart: ReadonlyMap<Column<T>, Column<T>>;
}

/** Draws a list in blocks; the first decides the columns and their widths. */
class ListGrid<T extends object> {
  readonly #surface: Surface;
  readonly #cells: Cells;
  readonly #view: View<T>;
  #layout: ListLayout<T> | undefined;

  constructor(surface: Surface, cells: Cells, view: View<T>) {
    this.#surface = surface;
    this.#cells = cells;
    this.#view = view;
  }

  async draw(rows: readonly T[]): Promise<void> {
    if (rows.length === 0) return;
    const isFirst = this.#layout === undefined;
    const { shown, below, apart } = (this.#layout ??= this.#fitted(rows));
    const ends = new Map(
      shown.flatMap((fitted) => {
        const by = apart.get(fitted.column);
        return by ? [[fitted.column, endsOf(rows, fitted, by, this.#textOf)] as const] : [];
      }),
    );
    const lines = rows.map((row) =>
      this.#cells.lines(row, shown, (column) => ends.get(column)?.get(row) ?? ''),
    );
    const heading = isFirst && this.#surface.header ? [this.#cells.heading(shown)] : [];
    const columns = shown.map(({ column, width }) => ({ width, right: column.kind === 'number' }));
    const grid = drawGrid(columns, [...heading, ...lines.flat()]);
    const text = below.length > 0 ? this.#withBelow(grid, { rows, lines, below, heading }) : grid;
    await this.#surface.write(text);
  }

  /** Inserts the values without a column below the lines of their rows. */
  #withBelow(
    grid: string,
    { rows, lines, below, heading }: DrawnRows<T> & { readonly below: readonly Column<T>[] },
  ): string {
    const drawn = grid.split('\n');
    const all = drawn.splice(0, heading.length);
    for (const [at, row] of rows.entries()) {
      all.push(...joined(drawn.splice(0, lines[at]?.length ?? 0), this.#cells.below(row, below)));
    }
    return [...all, ...drawn].join('\n');
  }

  #fitted(rows: readonly T[]): ListLayout<T> {
    const columns = this.#columns(rows);
    const cellsOf = (column: Column<T>): readonly string[] => rows.map((row) => this.#textOf(row, column));
    const first = fitColumns(columns, cellsOf, this.#surface);
    const apart = apartColumns(columns, first);
    // Equal names need room for their numbers.
    const longer = (column: Column<T>): readonly string[] => {
      const by = apart.get(column);
      const ends = by && endsOf(rows, { column, width: Number.POSITIVE_INFINITY }, by, this.#textOf);
      return rows.map((row) => `${this.#textOf(row, column)}${ends?.get(row) ?? ''}`);
    };
    const { shown, below, hidden } =
      apart.size === 0 ? first : fitColumns(columns, longer, this.#surface, [...apart.values()]);
    if (hidden.length > 0) this.#surface.onHidden?.(hidden.map((title) => title.replace(zoneMark, '')));
    return { shown, below, apart };
  }

  readonly #textOf = (row: T, column: Column<T>): string => this.#cells.text(row, column);

  /** Returns the columns for people: without those that another column includes, and with the time zone of times. */
  #columns(rows: readonly T[]): readonly Column<T>[] {
    const { fields, isTerminal, zone } = this.#surface;
    const columns = chooseColumns(this.#view, this.#surface, rows).filter(
      ({ isIncluded }) => fields !== undefined || !isIncluded,
    );
    if (!isTerminal || zone !== undefined) return columns;
    return columns.map((column) => (column.kind === 'time' ? inUtc(column) : column));
  }
}

/** Renders a table without borders that fits the terminal. In a pipe (`-o table`), the table is as wide as needed. */
export function tableRenderer(surface: Surface): Renderer {
  const cells = new Cells(surface);
  return {
    async list<T extends object>(rows: Rows<T>, view: View<T>) {
      const grid = new ListGrid(surface, cells, view);
      let count = 0;
      let waiting: T[] = [];
      for await (const row of rows) {
        waiting.push(row);
        count += 1;
        if (waiting.length < block) continue;
        await grid.draw(waiting);
        waiting = [];
      }
      await grid.draw(waiting);
      return count;
    },

    async record(row, view) {
      const chosen = chooseColumns(view, surface, [row]);
      // Empty values are omitted, unless they were selected by name.
      const columns = surface.fields
        ? chosen
        : chosen.filter((column) => cells.text(row, column, true) !== '');
      const labels = columns.map(({ title }) => labelOf(title));
      const label = Math.max(1, ...labels.map(widthOf));
      const room = surface.columns === undefined ? undefined : surface.columns - label - gap;
      const lines = columns.flatMap((column, at) =>
        foldedTo(cells.text(row, column, true), room).map((text, index) => [
          index === 0 ? surface.paint('dim', labels[at] ?? column.title) : '',
          cells.inGrid(text, column),
        ]),
      );
      const column = { width: 1, right: false };
      await surface.write(drawGrid([column, column], lines));
    },

    async stream(rows, view) {
      for await (const row of rows) {
        const text = view.line
          ? finished(view.line(row, surface.zone, surface.columns), surface)
          : chooseColumns(view, surface, [row])
              .map((column) => cells.paint(cells.text(row, column), column))
              .join(' '.repeat(gap));
        await surface.write(`${surface.isTerminal ? isolateRuns(text) : text}\n`, view.onWritten);
      }
    },
  };
}

const initials = new Set(['ID', 'PID', 'SHA256', 'TLS', 'URI', 'URL', 'UUID']);

/** Converts the heading of a list to the label of a record: `CALLS TAKEN` to `Calls taken`. Titles in mixed case are not changed. */
function labelOf(title: string): string {
  if (title !== title.toUpperCase()) return title;
  return title
    .split(' ')
    .map((word, at) => (initials.has(word) ? word : inSentence(word, at === 0)))
    .join(' ');
}

/** Returns a word of a label; the unit `ms` stays in lower case. */
function inSentence(word: string, isFirst: boolean): string {
  return isFirst && word !== 'MS' ? word.slice(0, 1) + word.slice(1).toLowerCase() : word.toLowerCase();
}
