import { usageError } from '../../errors/command.ts';

/** A column that a list may or must have. */
export interface TableField<F extends string> {
  readonly name: F;
  /** Accepted headings without spaces, dashes and capitals, the best first: a list with `queue` and `queueName` means the former. */
  readonly headings: readonly string[];
  readonly column: 'required' | 'optional';
  /** Whether a row may leave it empty. */
  readonly cell: 'required' | 'optional';
  /** Whether it is text of people, which may look like anything. */
  readonly freeText?: boolean;
  /** Another word for it, named when the column is missing. */
  readonly alias?: string;
}

/** Where a field stands: its heading as written, and its index in the row. */
interface HeaderColumn {
  readonly heading: string;
  readonly index: number;
}

export interface TableHeader<F extends string> {
  readonly columns: Partial<Readonly<Record<F, HeaderColumn>>>;
  /** What is wrong with the headings, in words. */
  readonly problems: readonly string[];
}

/** Finds the fields by their headings, whatever their case, order and spacing; other columns are left alone. */
export function readHeader<F extends string>(
  cells: readonly string[],
  spec: { readonly fields: readonly TableField<F>[]; readonly map?: ReadonlyMap<string, string> | undefined },
): TableHeader<F> {
  const columns: Partial<Record<F, HeaderColumn>> = {};
  const map = spec.map ?? new Map<string, string>();
  const problems = [...mapProblems(cells, map, spec.fields)];
  for (const field of spec.fields) {
    const [first, second] = columnsOf(cells, map, field);
    if (second) problems.push(`the column "${second.heading}" is there twice`);
    if (first) columns[field.name] = first;
    else if (field.column === 'required') problems.push(missing(field, spec.fields));
  }
  return { columns, problems };
}

/** The columns that hold a field: those that `--map` names, else those with a known heading. */
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
        `--map ${heading}=${field}: there is no field "${field}"; fields: ${fields.map(({ name }) => name).join(', ')}`,
      ];
    }
    return columnsNamed(cells, fold(heading)).length > 0
      ? []
      : [`--map ${heading}=${field}: the file has no column "${heading}"`];
  });
}

function mappedColumns(
  cells: readonly string[],
  map: ReadonlyMap<string, string>,
  field: string,
): readonly HeaderColumn[] | undefined {
  const headings = [...map].filter(([, name]) => name === field).map(([heading]) => fold(heading));
  return headings.length > 0 ? headings.flatMap((heading) => columnsNamed(cells, heading)) : undefined;
}

/** A column that is mapped to one field is not taken for another. */
function knownColumns(
  cells: readonly string[],
  map: ReadonlyMap<string, string>,
  field: TableField<string>,
): readonly HeaderColumn[] {
  const taken = new Set([...map.keys()].map(fold));
  const found = field.headings
    .filter((heading) => !taken.has(heading))
    .map((heading) => columnsNamed(cells, heading))
    .find((named) => named.length > 0);
  return found ?? [];
}

function columnsNamed(cells: readonly string[], heading: string): readonly HeaderColumn[] {
  return cells
    .map((cell, index) => ({ heading: cell.trim(), index }))
    .filter((column) => fold(column.heading) === heading);
}

function fold(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[\s_-]/g, '');
}

function missing(field: TableField<string>, fields: readonly TableField<string>[]): string {
  const alias = field.alias === undefined ? '' : ` (or ${field.alias})`;
  const names = fields.filter(({ column }) => column === 'required').map(({ headings }) => headings[0]);
  return `there is no column "${field.headings[0]}"${alias}; the first line names the columns ${names.join(', ')}`;
}

/** Reads `--map col=field,...`. @throws {CommandError} `usage` for a word without an equals sign. */
export function readMap(words: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    words.map((word): [string, string] => {
      const at = word.lastIndexOf('=');
      if (at < 1 || at === word.length - 1) {
        throw usageError(`--map takes COLUMN=FIELD, not "${word}"`);
      }
      return [word.slice(0, at).trim(), word.slice(at + 1).trim()];
    }),
  );
}
