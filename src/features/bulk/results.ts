import { isCsvDialect, plainDialect, writeCsv, type CsvDialect } from './csv-dialect.ts';
import { escapeFormula } from '../../platform/csv-cell.ts';
import { isJsonObject } from '../../platform/json.ts';
import { areTexts } from './limits.ts';
import type { JournalItem } from './journal.ts';
import { skippedLine, type SkippedRow } from './skipped-rows.ts';

/** The result of one row of the input. */
export interface RowResult {
  readonly status: string;
  readonly action: string;
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly requestId: string | undefined;
  /** ID of what the change created, such as a message. */
  readonly resultId?: string | undefined;
  readonly attempts: number;
  /** Time of the result in milliseconds since 1970. */
  readonly time: number | undefined;
}

/** The list of a run, recorded in the journal for the results file. */
export interface RunInput {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The CSV dialect of the list; absent if the input is not a CSV file. */
  readonly dialect?: CsvDialect;
}

/** Whether a parsed value is the list of a run, with all of its members. */
export function isRunInput(value: unknown): value is RunInput {
  return (
    isJsonObject(value) &&
    areTexts(value['headings']) &&
    Array.isArray(value['rows']) &&
    value['rows'].every(areTexts) &&
    (value['dialect'] === undefined || isCsvDialect(value['dialect']))
  );
}

/**
 * The columns that a results file adds. The prefix avoids conflicts with columns of the input, such as `message` in a
 * list of presence changes.
 */
const resultColumns = [
  'result status',
  'result action',
  'result code',
  'result message',
  'result request id',
  'result attempts',
  'result time',
] as const;
/** An additional column for changes that create something, such as messages. */
const idColumn = 'result id';

type ResultColumn = (typeof resultColumns)[number] | typeof idColumn;

/** Whether a column was added by a results file, which can be used as a list again. */
export function isResultColumn(heading: string): boolean {
  return ([...resultColumns, idColumn] as readonly string[]).includes(heading.trim().toLowerCase());
}

/** Returns the earlier result of a row, if the list is a results file. */
export function earlierResult({ headings }: RunInput, row: readonly string[]): RowResult | undefined {
  const cell = (column: ResultColumn): string =>
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
    resultId: cell(idColumn) || undefined,
    attempts: Number(cell('result attempts')) || 0,
    time: Number.isNaN(time) ? undefined : time,
  };
}

/** The result of one change, and the rows that request it. */
export interface RowOutcome {
  /** Indexes of the rows of the input that request the change. */
  readonly rows: readonly number[];
  readonly result: RowResult;
  /** The status of all rows after the first row, if it differs. */
  readonly furtherStatus?: string | undefined;
  /** The cells of an added row, if no row of the input requests the change. */
  readonly cells?: readonly string[] | undefined;
}

/** The results that a results file contains. */
export interface ResultRows<P> {
  /** Yields the results of the items and of the skipped rows. */
  outcomes(items: Iterable<JournalItem<P>>): Iterable<RowOutcome>;
  /** Returns the result of any other row; undefined omits the row. */
  readonly rest?: ((row: readonly string[]) => RowResult | undefined) | undefined;
  /** Whether the results have an ID, which is the last column. */
  readonly hasIds?: boolean;
}

/** Returns the result of an item of a run. `status` is the item's status for people. */
export function itemResult(item: JournalItem<unknown>, status: string, action: string): RowResult {
  const { code, message, requestId, resultId, attempts, time } = item;
  return { status, action, code, message, requestId, resultId, attempts, time };
}

/** Returns the result of a row without a request. */
export function unsentResult(status: string, action: string, skipped?: SkippedRow): RowResult {
  const message = skipped && skippedLine(skipped);
  return { status, action, code: skipped?.code, message, requestId: undefined, attempts: 0, time: undefined };
}

interface RowWithResult {
  readonly row: readonly string[];
  readonly result: RowResult;
}

/** Returns the outcome of a row of the list that is skipped. */
export function skippedOutcome(skipped: SkippedRow, action: string): RowOutcome {
  const rows = skipped.row === undefined ? [] : [skipped.row];
  return { rows, result: unsentResult('skipped', action, skipped) };
}

/** A table to write to a file. */
export interface FileTable {
  /** The headings and the rows. Formulas are not escaped. They are created while they are written, and can be read once. */
  readonly lines: Iterable<readonly string[]>;
  /** The CSV dialect of the list; undefined for the default. */
  readonly dialect: CsvDialect | undefined;
}

/**
 * Returns the table of a results file, in the order of the input; added rows come last.
 * @param more.rest the result of a row without an outcome; without `rest`, such rows are omitted
 */
export function resultsTable(
  input: RunInput,
  outcomes: Iterable<RowOutcome>,
  { rest, hasIds = false }: Pick<ResultRows<never>, 'rest' | 'hasIds'> = {},
): FileTable {
  const byRow = new Map<number, RowResult>();
  const added: RowWithResult[] = [];
  for (const { rows, result, furtherStatus, cells } of outcomes) {
    if (rows.length === 0 && cells) added.push({ row: cells, result });
    for (const [at, index] of rows.entries()) {
      const isFurther = at > 0 && furtherStatus !== undefined;
      byRow.set(index, isFurther ? { ...result, status: furtherStatus } : result);
    }
  }
  return tableOf(input, inOrder(), hasIds ? [...resultColumns, idColumn] : resultColumns);

  function* inOrder(): Generator<RowWithResult, void, undefined> {
    for (const [index, row] of input.rows.entries()) {
      const result = byRow.get(index) ?? rest?.(row);
      if (result) yield { row, result };
    }
    yield* added;
  }
}

/**
 * Returns a results file: the columns of the input, then the result columns. If the input is a results file, its result
 * columns are replaced.
 */
function tableOf(
  input: RunInput,
  results: Iterable<RowWithResult>,
  columns: readonly ResultColumn[],
): FileTable {
  const inputColumns = input.headings.flatMap((heading, index) => (isResultColumn(heading) ? [] : [index]));
  return { lines: lines(), dialect: input.dialect };

  function* lines(): Generator<readonly string[], void, undefined> {
    yield [...inputColumns.map((index) => input.headings[index] ?? ''), ...columns];
    for (const { row, result } of results) {
      yield [
        ...inputColumns.map((index) => row[index] ?? ''),
        ...columns.map((column) => cellOf(result, column)),
      ];
    }
  }
}

/** Formats a table as CSV in its dialect. Formulas in headings and cells are escaped unless `raw`. */
export function tableCsv({ lines, dialect = plainDialect }: FileTable, raw: boolean): string {
  return writeCsv(raw ? lines : escaped(lines), dialect);
}

function* escaped(lines: Iterable<readonly string[]>): Generator<readonly string[], void, undefined> {
  for (const cells of lines) yield cells.map(escapeFormula);
}

function cellOf(result: RowResult, column: ResultColumn): string {
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
    case 'result id':
      return result.resultId ?? '';
    case 'result time':
    default:
      return result.time === undefined ? '' : new Date(result.time).toISOString();
  }
}
