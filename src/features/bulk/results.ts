import { plainDialect, writeCsv, type CsvDialect } from './dialect.ts';
import { guarded } from './guard.ts';
import type { JournalItem } from './journal.ts';
import { refusedLine, type RefusedRow } from './refused.ts';

/** What became of one row of the input. */
export interface RowResult {
  readonly status: string;
  readonly action: string;
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly requestId: string | undefined;
  readonly attempts: number;
  /** Milliseconds since 1970. */
  readonly time: number | undefined;
}

/** The rows that a run was given, and how they looked: recorded in the journal for the results file. */
export interface RunInput {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Absent for what came from no CSV file. */
  readonly dialect?: CsvDialect;
}

/** Prefixed, so that none of them can be a column of the input: `message` is what a person wishes in a list of presence. */
const added = [
  'result status',
  'result action',
  'result code',
  'result message',
  'result request id',
  'result attempts',
  'result time',
] as const;

/** Whether a list is a results file of ours: then its cells are guarded. */
export function isResultsFile(headings: readonly string[]): boolean {
  return headings.some((heading) => heading.trim().toLowerCase() === added[0]);
}

/** What a results file says of one of its rows; undefined for a row, or a list, that says nothing. */
export function earlierResult({ headings }: RunInput, row: readonly string[]): RowResult | undefined {
  const cell = (column: (typeof added)[number]): string =>
    row[headings.findIndex((heading) => heading.trim().toLowerCase() === column)]?.trim() ?? '';
  const status = cell('result status');
  if (status === '') return undefined;
  const time = Date.parse(cell('result time'));
  return {
    status,
    action: cell('result action'),
    code: cell('result code') || undefined,
    message: cell('result message') || undefined,
    requestId: cell('result request id') || undefined,
    attempts: Number(cell('result attempts')) || 0,
    time: Number.isNaN(time) ? undefined : time,
  };
}

/** What became of one thing that the list asks for. */
export interface RowOutcome {
  /** Rows of the input that ask for it, by index. */
  readonly rows: readonly number[];
  readonly result: RowResult;
  /** The status of those rows after the first, where it is another one. */
  readonly furtherStatus?: string | undefined;
  /** The columns of a row to add, for what no row of the input asks for. */
  readonly cells?: readonly string[] | undefined;
}

/** How the results file tells what became of each row. */
export interface ResultRows<P> {
  /** What became of the items, and of the rows that nothing was sent for. */
  outcomes(items: readonly JournalItem<P>[]): readonly RowOutcome[];
  /** Of a row that has no outcome; undefined leaves it out. */
  readonly rest?: ((row: readonly string[]) => RowResult | undefined) | undefined;
}

/** The result of an item of a run; `status` is the word for where it is. */
export function itemResult(item: JournalItem<unknown>, status: string, action: string): RowResult {
  const { code, message, requestId, attempts, time } = item;
  return { status, action, code, message, requestId, attempts, time };
}

/** The result of a row that nothing was sent for. */
export function unsentResult(status: string, action: string, refused?: RefusedRow): RowResult {
  const message = refused && refusedLine(refused);
  return { status, action, code: refused?.code, message, requestId: undefined, attempts: 0, time: undefined };
}

/**
 * The text of a results file, in the order of the input; what no row of it asks for comes last.
 * @param rest what to say of a row that has no outcome; without it such a row is left out
 */
export function resultsText(
  input: RunInput,
  outcomes: readonly RowOutcome[],
  { raw, rest }: { readonly raw: boolean; readonly rest?: ResultRows<never>['rest'] },
): string {
  const byRow = new Map<number, RowResult>();
  for (const { rows, result, furtherStatus } of outcomes) {
    for (const [at, index] of rows.entries()) {
      const isFurther = at > 0 && furtherStatus !== undefined;
      byRow.set(index, isFurther ? { ...result, status: furtherStatus } : result);
    }
  }
  const listed = input.rows.flatMap((row, index) => {
    const result = byRow.get(index) ?? rest?.(row);
    return result ? [{ row, result }] : [];
  });
  const added = outcomes.flatMap(({ rows, cells, result }) =>
    rows.length === 0 && cells ? [{ row: cells, result }] : [],
  );
  return resultsCsv(input, [...listed, ...added], { raw });
}

/**
 * The results file: the input's columns as they were, then what became of each row, written as the input was. Cells that a spreadsheet would
 * run are guarded, unless `raw`. A file of results given as input again has its result columns replaced, not doubled.
 */
export function resultsCsv(
  input: RunInput,
  results: readonly { readonly row: readonly string[]; readonly result: RowResult }[],
  { raw = false }: { readonly raw?: boolean } = {},
): string {
  const own = raw ? (cell: string): string => cell : guarded;
  const kept = input.headings.flatMap((heading, index) =>
    (added as readonly string[]).includes(heading.trim().toLowerCase()) ? [] : [index],
  );
  const lines = [
    [...kept.map((index) => input.headings[index] ?? ''), ...added],
    ...results.map(({ row, result }) => [
      ...kept.map((index) => own(row[index] ?? '')),
      ...added.map((column) => own(cellOf(result, column))),
    ]),
  ];
  return writeCsv(lines, input.dialect ?? plainDialect);
}

function cellOf(result: RowResult, column: (typeof added)[number]): string {
  switch (column) {
    case 'result status':
      return result.status;
    case 'result action':
      return result.action;
    case 'result code':
      return result.code ?? '';
    case 'result message':
      return result.message ?? '';
    case 'result request id':
      return result.requestId ?? '';
    case 'result attempts':
      return String(result.attempts);
    case 'result time':
    default:
      return result.time === undefined ? '' : new Date(result.time).toISOString();
  }
}
