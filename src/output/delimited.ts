import { escapeFormula, quotedCell } from '../platform/csv-cell.ts';
import { safe, safeQuoted } from '../platform/terminal-text.ts';
import type { Column, View } from '../runtime/output.ts';
import { plainCell } from './cell.ts';
import { chooseColumns } from './fields.ts';
import type { Renderer, Rows, Surface } from './renderer.ts';

interface Dialect {
  readonly separator: string;
  readonly end: string;
  readonly header: boolean;
  cell(text: string, isText: boolean): string;
}

/**
 * Renders tab-separated rows without a heading, for `cut`, `awk` and `while read`. Line breaks and control characters
 * in cells are escaped.
 */
export function tsvRenderer(surface: Surface): Renderer {
  return delimitedRenderer(surface, { separator: '\t', end: '\n', header: false, cell: safe });
}

/**
 * Renders CSV (RFC 4180) with a heading. Text that a spreadsheet would run as a formula gets a leading apostrophe,
 * unless `--csv-raw`.
 */
export function csvRenderer(surface: Surface): Renderer {
  const cell: Dialect['cell'] = (text, isText) => {
    if (surface.csvRaw) return quotedCell(text);
    const guarded = isText ? escapeFormula(text) : text;
    return quotedCell(safeQuoted(guarded));
  };
  return delimitedRenderer(surface, { separator: ',', end: '\r\n', header: surface.header, cell });
}

async function collected<T>(rows: Rows<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

function delimitedRenderer(surface: Surface, dialect: Dialect): Renderer {
  const line = (cells: readonly string[]): string => cells.join(dialect.separator) + dialect.end;
  const headerLine = <T>(columns: readonly Column<T>[]): string =>
    line(columns.map((column) => dialect.cell(column.key, true)));
  const rowLine = <T>(row: T, columns: readonly Column<T>[]): string =>
    line(
      columns.map((column) => {
        const value = column.value(row);
        return dialect.cell(plainCell(value, column.kind, surface.zone), typeof value === 'string');
      }),
    );

  const list = async <T extends object>(rows: Rows<T>, view: View<T>): Promise<number> => {
    let count = 0;
    let columns: readonly Column<T>[] = [];
    // If a view has no columns, the members of all rows become its columns.
    const isOpen = view.columns.length === 0 && !surface.fields;
    const all = isOpen ? await collected(rows) : undefined;
    for await (const item of all ?? rows) {
      const row = item as T;
      let head = '';
      if (count === 0) {
        columns = chooseColumns(view, surface, all ?? [row]);
        if (dialect.header) head = headerLine(columns);
      }
      await surface.write(head + rowLine(row, columns), view.onWritten);
      count += 1;
    }
    if (count === 0) {
      columns = chooseColumns(view, surface, []);
      if (dialect.header && columns.length > 0) await surface.write(headerLine(columns));
    }
    return count;
  };
  return {
    list,
    async record(row, view) {
      await list([row], view);
    },
    async stream(rows, view) {
      await list(rows, view);
    },
  };
}
