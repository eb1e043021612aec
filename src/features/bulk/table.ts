import { spreadsheetDamage, spreadsheetError } from './spreadsheet-damage.ts';
import { cellPlace, distinctProblems, inFileOrder, type ListProblem, type Place } from './place.ts';
import type { RunInput } from './results.ts';
import { rowsOfList, type BrokenRow, type CsvRow, type ListContent } from './rows.ts';
import {
  columnsOf,
  findHeadingRow,
  readHeader,
  type HeaderColumn,
  type TableField,
  type TableHeader,
} from './table-header.ts';

/** A row of a table without problems. */
export interface TableRow<F extends string> {
  readonly place: Place;
  /** All cells of the row, including those of columns without a field. */
  readonly cells: readonly string[];
  /** Returns the trimmed cell of a field; empty if the column is absent. */
  value(field: F): string;
  /** Returns the heading of a field, for messages. */
  heading(field: F): string;
  /** Describes a cell that a spreadsheet has not calculated, or whose text differs from what it shows; undefined for any other cell. */
  fault(index: number): string | undefined;
  /** Describes a cell that is empty because merged cells cover it; undefined for any other cell. */
  covered(index: number): string | undefined;
  /** Describes the damage that a spreadsheet did to the ID or number of a field; undefined for an intact value. */
  damage(field: F): string | undefined;
}

/** A table with its problems. */
export interface Table<F extends string> {
  readonly headings: readonly string[];
  /** The unchanged table for a results file. */
  readonly input: RunInput;
  readonly rows: readonly TableRow<F>[];
  /**
   * The rows without problems. Their names are looked up even if other rows have problems, so that one error lists all
   * problems.
   */
  readonly readable: readonly TableRow<F>[];
  /** Problems in the order of the file. If there are problems, no request may be sent. */
  readonly problems: readonly ListProblem[];
}

export interface TableSpec<F extends string> {
  readonly fields: readonly TableField<F>[];
  /** Value of `--map`: heading to field. It replaces the accepted headings of that field. */
  readonly map?: ReadonlyMap<string, string> | undefined;
  /** Checks a row for further problems besides empty and damaged cells. Returns pairs of field and problem. */
  readonly check?: (row: TableRow<F>) => readonly (readonly [F, string])[];
  /** Whether headings without rows are a valid empty list, such as the output of a query without results. */
  readonly mayBeEmpty?: boolean;
  /** Maximum number of rows; `maxListRows` by default. */
  readonly maxRows?: number;
}

/** Maximum number of rows of a list. */
const maxListRows = 100_000;

/** Reads a table whose first line names the columns. Finds every problem of the file, not only the first. */
export function readTable<F extends string>(
  content: ListContent,
  file: string,
  spec: TableSpec<F>,
): Table<F> {
  const { rows, broken, dialect } = rowsOfList(content);
  const at = findHeadingRow(rows, spec);
  const head = rows[at];
  if (!head) {
    const problems = broken.map((row) => brokenRow(row, file, []));
    return empty(problems.length > 0 ? problems : [problemAt(file, 1, '1', 'the file is empty')]);
  }
  const body = rows.slice(at + 1);
  const header = readHeader(head.cells, spec);
  if (header.problems.length > 0) {
    return empty(header.problems.map((text) => problemAt(file, head.line, '1', text)));
  }
  if (body.length === 0 && broken.length === 0 && !spec.mayBeEmpty) {
    return empty([problemAt(file, head.line + 1, '1', 'no rows below the headings')]);
  }
  const { maxRows = maxListRows } = spec;
  if (body.length > maxRows) return empty([tooManyRows(file, body, maxRows)]);
  const named = headingsOf(header);
  const read = body.map((row, index) => ({
    row: toTableRow(row, header, { file, headings: named }),
    index,
    source: row,
  }));
  const problems = inFileOrder([
    ...read.flatMap(({ source, index }) => extraCell(source, { width: head.cells.length, file, index })),
    ...read.flatMap(({ row, index }) => problemsOf(row, index, spec, header)),
    ...broken.map((row) => brokenRow(row, file, head.cells)),
  ]);
  const bad = new Set(problems.map(({ place }) => place?.line));
  const headings = head.cells.map((cell) => cell.trim());
  return {
    headings,
    input: { headings, rows: body.map(({ cells }) => cells), ...(dialect && { dialect }) },
    rows: read.map(({ row }) => row),
    readable: read.map(({ row }) => row).filter(({ place }) => !bad.has(place.line)),
    // The parser may report the same row more than once.
    problems: distinctProblems(problems),
  };
}

/**
 * Returns the columns that a list has for a field, by which the form of the list is found; undefined for an empty list,
 * which another check reports. `required` are the fields that every form of the list has, by which its headings are found.
 */
export function columnsOfList(
  content: ListContent,
  field: TableField<string>,
  {
    map,
    required,
  }: { readonly map: ReadonlyMap<string, string>; readonly required: readonly TableField<string>[] },
): readonly HeaderColumn[] | undefined {
  const { rows } = rowsOfList(content);
  const head = rows[findHeadingRow(rows, { fields: required, map })];
  return head && columnsOf(head.cells, map, field);
}

function tooManyRows(file: string, rows: readonly CsvRow[], maxRows: number): ListProblem {
  const count = rows.length.toLocaleString('en-US');
  const line = rows[maxRows]?.line ?? 1;
  const text = `the list has ${count} rows, but at most ${maxRows.toLocaleString('en-US')} are allowed; split it`;
  return problemAt(file, line, '1', text);
}

function problemAt(file: string, line: number, column: string, text: string): ListProblem {
  return { place: { file, line, column }, text };
}

/**
 * Returns the problem of a non-empty cell without a heading. A possible cause is an unquoted name that contains a
 * comma.
 */
function extraCell(
  row: CsvRow,
  { width, file, index }: { readonly width: number; readonly file: string; readonly index: number },
): readonly ListProblem[] {
  const column = row.cells.findIndex((cell, at) => at >= width && cell.trim() !== '');
  if (column < 0) return [];
  const text = `"${row.cells[column]}" has no column heading`;
  return [{ ...problemAt(file, row.line, String(column + 1), text), isOfRow: true, row: index }];
}

function empty<F extends string>(problems: readonly ListProblem[]): Table<F> {
  return { headings: [], input: { headings: [], rows: [] }, rows: [], readable: [], problems };
}

/** Returns the headings that differ from the names of their fields; undefined if no heading differs. */
function headingsOf({ columns }: TableHeader<string>): Readonly<Record<string, string>> | undefined {
  const named = Object.entries(columns).flatMap(([field, column]) =>
    column && column.heading !== field ? [[field, column.heading]] : [],
  );
  return named.length === 0 ? undefined : Object.fromEntries(named);
}

function toTableRow<F extends string>(
  row: CsvRow,
  header: TableHeader<F>,
  { file, headings }: { readonly file: string; readonly headings: Place['headings'] },
): TableRow<F> {
  return {
    place: { file, line: row.line, ...(headings && { headings }) },
    cells: row.cells,
    value(field) {
      const column = header.columns[field];
      return (column && row.cells[column.index])?.trim() ?? '';
    },
    heading: (field) => header.columns[field]?.heading ?? field,
    fault(index) {
      const value = row.cells[index]?.trim() ?? '';
      const problem = row.problems?.get(index);
      if (problem !== undefined) return problem;
      return row.formulas?.includes(index) ? spreadsheetDamage(value) : spreadsheetError(value);
    },
    covered(index) {
      const range = row.merged?.get(index);
      return (
        range && `is covered by the merged cells ${range}; unmerge the cells, and enter the value of each row`
      );
    },
    damage(field) {
      const index = header.columns[field]?.index ?? -1;
      const isText = row.texts?.includes(index);
      return row.problems?.get(index) ?? spreadsheetDamage(this.value(field), isText);
    },
  };
}

function problemsOf<F extends string>(
  row: TableRow<F>,
  rowIndex: number,
  spec: TableSpec<F>,
  { columns }: TableHeader<F>,
): readonly ListProblem[] {
  const found: (readonly [F, string])[] = [];
  for (const { name, cell, freeText } of spec.fields) {
    const value = row.value(name);
    const index = columns[name]?.index ?? -1;
    if (value === '') {
      const reason = row.covered(index) ?? (cell === 'required' ? 'is empty' : undefined);
      if (reason !== undefined) found.push([name, reason]);
      continue;
    }
    const damage = freeText ? row.fault(index) : row.damage(name);
    if (damage !== undefined) found.push([name, damage]);
  }
  const seen = new Set(found.map(([field]) => field));
  const more = spec.check?.(row).filter(([field]) => !seen.has(field)) ?? [];
  return [...found, ...more].map(([field, text]) => ({
    place: cellPlace(row.place, row.heading(field)),
    text,
    isOfRow: true,
    row: rowIndex,
  }));
}

function brokenRow(row: BrokenRow, file: string, headings: readonly string[]): ListProblem {
  return problemAt(file, row.line, headings[row.index]?.trim() || String(row.index + 1), row.text);
}
