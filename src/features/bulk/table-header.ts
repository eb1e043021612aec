import { usageError } from '../../errors/command.ts';
import { suggest } from '../../platform/suggest.ts';
import { foldHeading, isHeading } from './headings.ts';
import type { CsvRow } from './rows.ts';
import { shellWord } from '../../platform/shell-quoted.ts';

/** A field of a list, whose values a column provides. */
export interface TableField<F extends string> {
  readonly name: F;
  /**
   * Accepted headings in folded form (`foldHeading`), in groups. The first group with a column in the list is used:
   * `queue` before `queueName`. Two columns of one group are ambiguous.
   */
  readonly headings: readonly (readonly string[])[];
  readonly column: 'required' | 'optional';
  /** Whether a row may have an empty cell. */
  readonly cell: 'required' | 'optional';
  /** Whether the cell is free text, which is checked for errors of a spreadsheet, but not for changed values. */
  readonly freeText?: boolean;
  /** A second heading that the error about a missing column mentions. */
  readonly alias?: string;
}

/** The column of a field: its heading as written, and its index. */
export interface HeaderColumn {
  readonly heading: string;
  readonly index: number;
}

export interface TableHeader<F extends string> {
  readonly columns: Partial<Readonly<Record<F, HeaderColumn>>>;
  readonly problems: readonly string[];
}

/** Number of rows in which the headings are searched, because a title may be above them. */
const headingRows = 10;

/**
 * Returns the index of the row with the headings: the first row that has a column for every required field. Rows above
 * it are a title. Without such a row, the first row is used, and its problems are reported.
 */
export function findHeadingRow(
  rows: readonly CsvRow[],
  spec: {
    readonly fields: readonly TableField<string>[];
    readonly map?: ReadonlyMap<string, string> | undefined;
  },
): number {
  const required = spec.fields.filter(({ column }) => column === 'required');
  const map = spec.map ?? new Map<string, string>();
  const index = rows
    .slice(0, headingRows)
    .findIndex(
      (row, at) =>
        !isTitle(row, rows[at + 1]) && required.every((field) => columnsOf(row.cells, map, field).length > 0),
    );
  return Math.max(0, index);
}

/** Whether a row is a title, which is a single cell above a row with more cells. */
function isTitle(row: CsvRow, next: CsvRow | undefined): boolean {
  return filled(row) === 1 && next !== undefined && filled(next) > 1;
}

function filled({ cells }: CsvRow): number {
  return cells.filter((cell) => cell.trim() !== '').length;
}

/**
 * Finds the columns of the fields by their headings. Case, order, spacing, punctuation and other columns do not matter.
 */
export function readHeader<F extends string>(
  cells: readonly string[],
  spec: { readonly fields: readonly TableField<F>[]; readonly map?: ReadonlyMap<string, string> | undefined },
): TableHeader<F> {
  const columns: Partial<Record<F, HeaderColumn>> = {};
  const map = spec.map ?? new Map<string, string>();
  const problems = [...mapProblems(cells, map, spec.fields)];
  for (const field of spec.fields) {
    const [first, second] = columnsOf(cells, map, field);
    if (first && second) problems.push(ambiguous(field, first, second));
    if (first) columns[field.name] = first;
    else if (field.column === 'required') problems.push(missing(field, spec.fields, cells, map));
  }
  return { columns, problems };
}

/** Returns the columns of a field. `--map` has precedence over the accepted headings. */
export function columnsOf(
  cells: readonly string[],
  map: ReadonlyMap<string, string>,
  field: TableField<string>,
): readonly HeaderColumn[] {
  return mappedColumns(cells, map, field.name) ?? knownColumns(cells, map, field);
}

function mapProblems(
  cells: readonly string[],
  map: ReadonlyMap<string, string>,
  fields: readonly TableField<string>[],
): readonly string[] {
  return [...map].flatMap(([heading, field]) => {
    if (!fields.some(({ name }) => name === field)) {
      return [
        `--map ${heading}=${field}: "${field}" is not a valid field; use one of: ${fields.map(({ name }) => name).join(', ')}`,
      ];
    }
    return columnsNamed(cells, heading).length > 0
      ? []
      : [`--map ${heading}=${field}: column "${heading}" not found in the file; columns: ${listed(cells)}`];
  });
}

function mappedColumns(
  cells: readonly string[],
  map: ReadonlyMap<string, string>,
  field: string,
): readonly HeaderColumn[] | undefined {
  const headings = [...map].filter(([, name]) => name === field).map(([heading]) => heading);
  return headings.length > 0 ? headings.flatMap((heading) => columnsNamed(cells, heading)) : undefined;
}

/** Finds columns by the accepted headings, except those that `--map` assigns to another field. */
function knownColumns(
  cells: readonly string[],
  map: ReadonlyMap<string, string>,
  field: TableField<string>,
): readonly HeaderColumn[] {
  const taken = new Set(
    [...map.keys()].flatMap((heading) => columnsNamed(cells, heading)).map(({ index }) => index),
  );
  const free = headerColumns(cells).filter(({ index }) => !taken.has(index));
  for (const group of field.headings) {
    const found = free.filter(({ heading }) => isHeading(heading, group));
    if (found.length > 0) return found;
  }
  return [];
}

/** Returns the columns that a heading of `--map` names: exactly as written if possible, otherwise in folded form. */
function columnsNamed(cells: readonly string[], heading: string): readonly HeaderColumn[] {
  const columns = headerColumns(cells);
  const exact = columns.filter((column) => column.heading === heading.trim());
  if (exact.length > 0) return exact;
  const folded = foldHeading(heading);
  return folded === '' ? [] : columns.filter((column) => foldHeading(column.heading) === folded);
}

function headerColumns(cells: readonly string[]): readonly HeaderColumn[] {
  return cells.map((cell, index) => ({ heading: cell.trim(), index }));
}

function ambiguous(field: TableField<string>, first: HeaderColumn, second: HeaderColumn): string {
  if (foldHeading(first.heading) === foldHeading(second.heading))
    return `duplicate column "${second.heading}"`;
  return `columns "${first.heading}" and "${second.heading}" both match the field ${field.name}; select one: --map ${shellWord(`${first.heading}=${field.name}`)}`;
}

function missing(
  field: TableField<string>,
  fields: readonly TableField<string>[],
  cells: readonly string[],
  map: ReadonlyMap<string, string>,
): string {
  const heading = headingOf(field);
  const meant = likelyHeading(field, fields, cells, map);
  const option =
    meant === undefined ? `--map HEADING=${field.name}` : `--map ${shellWord(`${meant}=${field.name}`)}`;
  const alias = field.alias === undefined ? '' : ` (or "${field.alias}")`;
  const names = fields.filter(({ column }) => column === 'required').map(headingOf);
  return `column "${heading}"${alias} not found in the first line (${listed(cells)}); required: ${names.join(', ')}; to use another heading: ${option}`;
}

/**
 * Returns the heading of the file that probably means a missing field: a heading that contains a word of the field, a
 * similar one, or the only heading that no field uses, if fields use others. Cells without letters are values.
 */
function likelyHeading(
  field: TableField<string>,
  fields: readonly TableField<string>[],
  cells: readonly string[],
  map: ReadonlyMap<string, string>,
): string | undefined {
  const used = new Set(fields.flatMap((one) => columnsOf(cells, map, one)).map(({ index }) => index));
  const free = headerColumns(cells).flatMap(({ heading, index }) =>
    used.has(index) || !/\p{L}/u.test(heading) ? [] : [heading],
  );
  const names = field.headings.flat();
  const [similar] = names.flatMap((name) => suggest(name, free.map(foldHeading)));
  return (
    free.find((heading) => names.some((name) => name.length > 3 && foldHeading(heading).includes(name))) ??
    free.find((heading) => foldHeading(heading) === similar) ??
    (free.length === 1 && used.size > 0 ? free[0] : undefined)
  );
}

function headingOf({ headings }: TableField<string>): string {
  return headings[0]?.[0] ?? '';
}

function listed(cells: readonly string[]): string {
  return cells
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(', ');
}

/** Reads `--map col=field,...`. @throws {CommandError} `usage` for a word without an equals sign. */
export function readMap(words: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    words.map((word): [string, string] => {
      const at = word.lastIndexOf('=');
      if (at < 1 || at === word.length - 1) {
        throw usageError(`--map: "${word}" is not valid`, 'use COLUMN=FIELD, such as Who=extension');
      }
      return [word.slice(0, at).trim(), word.slice(at + 1).trim()];
    }),
  );
}
