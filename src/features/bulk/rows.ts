import { parse, type CsvError } from 'csv-parse/sync';
import type { CsvDialect } from './dialect.ts';

/** One row of a CSV file. */
export interface CsvRow {
  readonly cells: readonly string[];
  /** Line of its first character, from 1. */
  readonly line: number;
}
/** A row that cannot be read at all. */
export interface BrokenRow {
  readonly line: number;
  /** Index of the cell. */
  readonly index: number;
  readonly text: string;
}
export interface CsvRows {
  readonly rows: readonly CsvRow[];
  readonly broken: readonly BrokenRow[];
  readonly dialect: CsvDialect;
}
interface ParsedRecord {
  readonly record: string[];
  readonly info: { readonly lines: number };
}

/** Splits CSV as RFC 4180 and spreadsheets write it: byte-order mark, a first line `sep=;`, comma, semicolon or tab, CRLF, newlines in quotes. */
export function readRows(text: string): CsvRows {
  // One kind of line break, so that the parser counts a CRLF inside quotes as one line.
  const whole = text.replaceAll(/\r\n?/g, '\n');
  const said = /^\uFEFF?"?sep=([,;\t|])"?[ \t]*(?=\n|$)/i.exec(whole);
  // An empty line in its place, so that the lines keep their numbers.
  const unix = said ? whole.slice(said[0].length) : whole;
  const delimiter = said?.[1] ?? delimiterOf(unix);
  const rows: CsvRow[] = [];
  const broken: BrokenRow[] = [];
  let nextLine = 1;
  const keep = ({ record, info }: ParsedRecord): null => {
    rows.push({ cells: record, line: info.lines - breaksIn(record) });
    nextLine = info.lines + 1;
    return null;
  };
  const skip = (error: CsvError): void => {
    // The parser reports a quote that never closes at the end of the file; people look for it where it opens.
    const line = error.code === 'CSV_QUOTE_NOT_CLOSED' ? nextLine : numberIn(error, 'lines');
    broken.push({ line, index: numberIn(error, 'column'), text: inWords(error) });
    nextLine = line + 1;
  };
  parse(unix, {
    bom: true,
    delimiter,
    info: true,
    relax_column_count: true,
    skip_records_with_error: true,
    on_record: (parsed) => keep(parsed as unknown as ParsedRecord),
    on_skip: (error) => {
      if (error) skip(error);
      return undefined;
    },
  });
  return {
    rows: rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== '')),
    broken,
    dialect: {
      bom: text.startsWith('\uFEFF'),
      delimiter,
      newline: /\r?\n/.exec(text)?.[0] === '\n' ? '\n' : '\r\n',
      saysDelimiter: said !== null,
    },
  };
}

function breaksIn(cells: readonly string[]): number {
  return cells.join('').split('\n').length - 1;
}

/** The likeliest of the delimiters that spreadsheets use, by the first line. */
function delimiterOf(text: string): string {
  const [firstLine = ''] = text.replaceAll(/"[^"]*"/g, '').split('\n', 1);
  const counted = [',', ';', '\t'].map((delimiter) => ({
    delimiter,
    count: firstLine.split(delimiter).length,
  }));
  return counted.reduce((best, next) => (next.count > best.count ? next : best)).delimiter;
}

function numberIn(error: CsvError, name: 'lines' | 'column'): number {
  const value: unknown = error[name];
  return typeof value === 'number' ? value : 0;
}

const inOwnWords: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quoted cell is not closed',
  INVALID_OPENING_QUOTE:
    'a quote in the middle of a cell; put the whole cell in quotes and write the quote twice',
  CSV_INVALID_CLOSING_QUOTE: 'text after the closing quote of a cell',
};

function inWords(error: CsvError): string {
  return inOwnWords[error.code] ?? error.message;
}
