import { isJsonObject } from '../../platform/json.ts';

/** The format of a CSV file. A results file uses the dialect of its list. */
export interface CsvDialect {
  /** Whether the file begins with a byte-order mark. */
  readonly bom: boolean;
  readonly delimiter: string;
  readonly newline: '\n' | '\r\n';
  /** Whether the first line declares the delimiter for spreadsheets, as in `sep=;`. */
  readonly saysDelimiter: boolean;
}

/** Whether a parsed value has all members of a dialect. */
export function isCsvDialect(value: unknown): value is CsvDialect {
  if (!isJsonObject(value)) return false;
  const { bom, delimiter, newline, saysDelimiter } = value;
  return (
    typeof bom === 'boolean' &&
    typeof delimiter === 'string' &&
    (newline === '\n' || newline === '\r\n') &&
    typeof saysDelimiter === 'boolean'
  );
}

/** The dialect of RFC 4180. */
export const plainDialect: CsvDialect = {
  bom: false,
  delimiter: ',',
  newline: '\r\n',
  saysDelimiter: false,
};

/** Formats lines of cells as CSV. */
export function writeCsv(lines: Iterable<readonly string[]>, dialect: CsvDialect): string {
  const { bom, delimiter, newline, saysDelimiter } = dialect;
  const cell = (text: string): string =>
    text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const texts = [`${bom ? '\uFEFF' : ''}${saysDelimiter ? `sep=${delimiter}${newline}` : ''}`];
  for (const cells of lines) texts.push(cells.map(cell).join(delimiter) + newline);
  return texts.join('');
}
