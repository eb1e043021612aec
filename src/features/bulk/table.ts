import { mangledBy } from './mangled.ts';
import { unguarded } from './guard.ts';
import { cellPlace, inFileOrder, problemText, type ListProblem, type Place } from './place.ts';
import { isResultsFile, type RunInput } from './results.ts';
import { readRows, type BrokenRow, type CsvRow } from './rows.ts';
import { columnsOf, readHeader, type TableField, type TableHeader } from './table-header.ts';

/** One readable row. */
export interface TableRow<F extends string> {
  readonly place: Place;
  /** All cells as they stand, also those of columns that are no field. */
  readonly cells: readonly string[];
  /** The cell of a field without the spaces around it; empty where the column is absent. */
  value(field: F): string;
  /** The heading of a field, for messages. */
  heading(field: F): string;
}

/** A table as people keep it in a spreadsheet, or everything that is wrong with it. */
export interface Table<F extends string> {
  readonly headings: readonly string[];
  /** The table as it was, for a results file. */
  readonly input: RunInput;
  readonly rows: readonly TableRow<F>[];
  /** Those of them with nothing wrong: their names can be looked up, so that all problems are told at once. */
  readonly readable: readonly TableRow<F>[];
  /** In the order of the file. Nothing may be sent when there is one. */
  readonly problems: readonly ListProblem[];
}

export interface TableSpec<F extends string> {
  readonly fields: readonly TableField<F>[];
  /** `--map`: heading to field, instead of the headings that are known. */
  readonly map?: ReadonlyMap<string, string> | undefined;
  /** What is wrong with a row beyond missing and mangled cells: pairs of field and text. */
  readonly check?: (row: TableRow<F>) => readonly (readonly [F, string])[];
  /** Headings alone are a list of nothing, as a query that finds nothing writes it; else they are a problem. */
  readonly mayBeEmpty?: boolean;
}

/** Reads a CSV table whose first line names the columns. Finds every problem of the file, not only the first. */
export function readTable<F extends string>(text: string, file: string, spec: TableSpec<F>): Table<F> {
  const { rows, broken, dialect } = readRows(text);
  const [head, ...guardedBody] = rows;
  if (!head) {
    const problems = broken.map((row) => brokenRow(row, file, []));
    return empty(problems.length > 0 ? problems : [problemAt(file, 1, '1', 'the file is empty')]);
  }
  const body = isResultsFile(head.cells) ? guardedBody.map(withoutGuards) : guardedBody;
  const header = readHeader(head.cells, spec);
  if (header.problems.length > 0) {
    return empty(header.problems.map((text) => problemAt(file, head.line, '1', text)));
  }
  if (body.length === 0 && broken.length === 0 && !spec.mayBeEmpty) {
    return empty([problemAt(file, head.line + 1, '1', 'there is no row below the headings')]);
  }
  const read = body.map((row) => toTableRow(row, header, file));
  const strays = body.flatMap((row) => strayCell(row, head.cells.length, file));
  const problems = inFileOrder([
    ...strays,
    ...read.flatMap((row) => problemsOf(row, spec)),
    ...broken.map((row) => brokenRow(row, file, head.cells)),
  ]);
  const bad = new Set(problems.map(({ place }) => place?.line));
  const headings = head.cells.map((cell) => cell.trim());
  return {
    headings,
    input: { headings, rows: body.map(({ cells }) => cells), dialect },
    rows: read,
    readable: read.filter(({ place }) => !bad.has(place.line)),
    // The parser may stumble over one row more than once.
    problems: [...new Map(problems.map((problem) => [problemText(problem), problem])).values()],
  };
}

/** Whether the first line of a list has a column for a field. True for an empty list: that is another problem. */
export function hasColumn(
  text: string,
  field: TableField<string>,
  map: ReadonlyMap<string, string>,
): boolean {
  const [head] = readRows(text).rows;
  return head === undefined || columnsOf(head.cells, map, field).length > 0;
}

function problemAt(file: string, line: number, column: string, text: string): ListProblem {
  return { place: { file, line, column }, text };
}

/** A cell without a column heading: a comma too many, or a name with a comma in it. Empty ones are nothing. */
function strayCell(row: CsvRow, width: number, file: string): readonly ListProblem[] {
  const index = row.cells.findIndex((cell, at) => at >= width && cell.trim() !== '');
  if (index < 0) return [];
  return [problemAt(file, row.line, String(index + 1), `"${row.cells[index]}" has no column heading`)];
}

function empty<F extends string>(problems: readonly ListProblem[]): Table<F> {
  return { headings: [], input: { headings: [], rows: [] }, rows: [], readable: [], problems };
}

function withoutGuards({ cells, line }: CsvRow): CsvRow {
  return { cells: cells.map(unguarded), line };
}

function toTableRow<F extends string>(row: CsvRow, header: TableHeader<F>, file: string): TableRow<F> {
  return {
    place: { file, line: row.line },
    cells: row.cells,
    value(field) {
      const column = header.columns[field];
      return (column && row.cells[column.index])?.trim() ?? '';
    },
    heading: (field) => header.columns[field]?.heading ?? field,
  };
}

function problemsOf<F extends string>(row: TableRow<F>, spec: TableSpec<F>): readonly ListProblem[] {
  const found: (readonly [F, string])[] = [];
  for (const { name, cell, freeText } of spec.fields) {
    const value = row.value(name);
    if (value === '') {
      if (cell === 'required') found.push([name, 'is empty']);
      continue;
    }
    const mangled = freeText ? undefined : mangledBy(value);
    if (mangled !== undefined) found.push([name, mangled]);
  }
  const seen = new Set(found.map(([field]) => field));
  const more = spec.check?.(row).filter(([field]) => !seen.has(field)) ?? [];
  return [...found, ...more].map(([field, text]) => ({
    place: cellPlace(row.place, row.heading(field)),
    text,
  }));
}

function brokenRow(row: BrokenRow, file: string, headings: readonly string[]): ListProblem {
  return problemAt(file, row.line, headings[row.index]?.trim() || String(row.index + 1), row.text);
}
