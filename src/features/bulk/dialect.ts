/** How a CSV file is written; a results file is written like the list that it tells of. */
export interface CsvDialect {
  /** Whether it begins with a byte-order mark. */
  readonly bom: boolean;
  readonly delimiter: string;
  readonly newline: '\n' | '\r\n';
  /** Whether its first line is `sep=;`, for a spreadsheet. */
  readonly saysDelimiter: boolean;
}

/** RFC 4180. */
export const plainDialect: CsvDialect = {
  bom: false,
  delimiter: ',',
  newline: '\r\n',
  saysDelimiter: false,
};

/** Writes lines of cells as the dialect asks. */
export function writeCsv(lines: readonly (readonly string[])[], dialect: CsvDialect): string {
  const { bom, delimiter, newline, saysDelimiter } = dialect;
  const cell = (text: string): string =>
    text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const head = `${bom ? '\uFEFF' : ''}${saysDelimiter ? `sep=${delimiter}${newline}` : ''}`;
  return head + lines.map((cells) => cells.map(cell).join(delimiter) + newline).join('');
}
