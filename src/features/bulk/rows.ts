import { parse, type CsvError } from 'csv-parse/sync';
import type { CsvDialect } from './csv-dialect.ts';
import { unescapeFormula } from '../../platform/csv-cell.ts';
import { withLineFeeds } from '../../platform/line-feeds.ts';
import { lookupTable } from '../../platform/lookup-table.ts';

export interface CsvRow {
  readonly cells: readonly string[];
  /** Number of the line in which the row starts, starting with 1. */
  readonly line: number;
  /** Indexes of the cells with a formula whose result the workbook does not contain. */
  readonly formulas?: readonly number[];
  /** Indexes of the cells with long numbers that are text in the workbook, so that no digits were lost. */
  readonly texts?: readonly number[];
  /**
   * The ranges of merged cells, such as `B2:B4`, by the indexes of the cells that they cover. Only the first cell of a
   * range has its value.
   */
  readonly merged?: ReadonlyMap<number, string>;
  /** Why the texts of cells are not what the sheet shows, by the indexes of the cells. */
  readonly problems?: ReadonlyMap<number, string>;
}
/** A row with a CSV syntax error. */
export interface BrokenRow {
  readonly line: number;
  /** Index of the cell with the error. */
  readonly index: number;
  readonly text: string;
}
/** The rows of a list, from a CSV file or from a sheet of a workbook. */
export interface CsvRows {
  readonly rows: readonly CsvRow[];
  readonly broken: readonly BrokenRow[];
  /** The format of the CSV file; absent for a sheet of a workbook. */
  readonly dialect?: CsvDialect;
}
/** A list as read from a file: the text of a CSV file, or the rows of a sheet. */
export type ListContent = string | CsvRows;
interface ParsedRecord {
  readonly record: string[];
  readonly info: { readonly lines: number };
}

/**
 * Returns the rows of a list. An apostrophe before a formula is not part of the text. A spreadsheet stores the apostrophes
 * of a CSV file in a workbook.
 */
export function rowsOfList(content: ListContent): CsvRows {
  const read = typeof content === 'string' ? readRows(content) : content;
  return { ...read, rows: read.rows.map(unescaped) };
}

function unescaped(row: CsvRow): CsvRow {
  return { ...row, cells: row.cells.map(unescapeFormula) };
}

/**
 * Parses CSV as defined by RFC 4180 and as written by spreadsheets: with a byte-order mark, a first line `sep=;`,
 * comma, semicolon or tab, CRLF, and line breaks in quotes.
 */
function readRows(text: string): CsvRows {
  // All line breaks become LF, because the parser would otherwise count a CRLF inside quotes as one line.
  const whole = withLineFeeds(text);
  const declared = /^\uFEFF?"?sep=([,;\t|])"?[ \t]*(?=\n|$)/i.exec(whole);
  // An empty line remains in place of the `sep=` line, so that line numbers stay correct.
  const unix = declared ? whole.slice(declared[0].length) : whole;
  const delimiter = declared?.[1] ?? delimiterOf(unix);
  const { rows, broken } = unix.includes('"') ? parsedRows(unix, delimiter) : plainRows(unix, delimiter);
  return {
    rows: rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== '')),
    broken,
    dialect: {
      bom: text.startsWith('\uFEFF'),
      delimiter,
      newline: /\r?\n/.exec(text)?.[0] === '\n' ? '\n' : '\r\n',
      saysDelimiter: declared !== null,
    },
  };
}

/** The rows of a text without quotes: a line is a row, so that no parser is needed, which is several times as slow. */
function plainRows(text: string, delimiter: string): Omit<CsvRows, 'dialect'> {
  const lines = (text.startsWith('\uFEFF') ? text.slice(1) : text).split('\n');
  return {
    rows: lines.map((line, index) => ({ cells: line.split(delimiter), line: index + 1 })),
    broken: [],
  };
}

function parsedRows(unix: string, delimiter: string): Omit<CsvRows, 'dialect'> {
  const rows: CsvRow[] = [];
  const broken: BrokenRow[] = [];
  let nextLine = 1;
  const addRow = ({ record, info }: ParsedRecord): null => {
    rows.push({ cells: record, line: info.lines - breaksIn(record) });
    nextLine = info.lines + 1;
    return null;
  };
  const addBroken = (error: CsvError): void => {
    // The parser reports an unclosed quote at the end of the file, but the user needs the line with the
    // opening
    // quote.
    const line = error.code === 'CSV_QUOTE_NOT_CLOSED' ? nextLine : numberIn(error, 'lines');
    broken.push({ line, index: numberIn(error, 'column'), text: messageFor(error) });
    nextLine = line + 1;
  };
  parse(unix, {
    bom: true,
    delimiter,
    info: true,
    relax_column_count: true,
    skip_records_with_error: true,
    on_record: (parsed) => addRow(parsed as unknown as ParsedRecord),
    on_skip: (error) => {
      if (error) addBroken(error);
      return undefined;
    },
  });
  return { rows, broken };
}

function breaksIn(cells: readonly string[]): number {
  return cells.join('').split('\n').length - 1;
}

/**
 * Returns the most frequent delimiter of the first line that is not empty. A comma before a space counts only without another
 * delimiter, because a spreadsheet whose separator is a semicolon writes the heading `Name, Vorname` without quotes.
 */
function delimiterOf(text: string): string {
  const [firstLine = ''] = text
    .replaceAll(/"[^"]*"/g, '')
    .replace(/^[^\S\t]+/, '')
    .split('\n', 1);
  const counted = [
    { delimiter: ',', count: firstLine.split(/,(?! )/).length },
    { delimiter: ';', count: firstLine.split(';').length },
    { delimiter: '\t', count: firstLine.split('\t').length },
  ];
  return counted.reduce((best, next) => (next.count > best.count ? next : best)).delimiter;
}

function numberIn(error: CsvError, name: 'lines' | 'column'): number {
  const value: unknown = error[name];
  return typeof value === 'number' ? value : 0;
}

const parserMessages: Readonly<Record<string, string>> = lookupTable({
  CSV_QUOTE_NOT_CLOSED:
    'a quoted cell has no closing quote; add the quote, or double each quote inside the cell',
  INVALID_OPENING_QUOTE:
    'a cell has a quote in the middle; enclose the whole cell in quotes and double the inner quotes',
  CSV_INVALID_CLOSING_QUOTE:
    'unexpected text after the closing quote of a cell; enclose the whole cell in quotes and double the inner quotes',
});

function messageFor(error: CsvError): string {
  return parserMessages[error.code] ?? error.message;
}
