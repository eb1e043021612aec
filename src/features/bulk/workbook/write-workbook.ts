import { XlsxStreamWriter } from 'hucre/xlsx';
import { unescapeFormula } from '../../../platform/csv-cell.ts';

/** Maximum number of UTF-16 code units in a cell. A spreadsheet does not open a workbook with a longer cell. */
const cellUnits = 32_767;

/** Matches the characters that XML cannot contain, and texts that look like the escape of such a character. */
// oxlint-disable-next-line no-control-regex -- these are the control characters that are escaped
const escapes = /[\0-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|_(?=x[0-9A-Fa-f]{4}_)/g;

/**
 * Formats rows as an .xlsx workbook with one sheet. All cells are texts, so that a spreadsheet neither removes leading
 * zeros nor evaluates a formula. Formulas therefore need no apostrophe, but a text that begins with an apostrophe before a
 * formula gets another one, because lists are read without it (docs/adr/0100-formulas-in-csv.md). The library is loaded
 * with this module, so it is loaded only for a workbook.
 */
export async function writeWorkbook(rows: Iterable<readonly string[]>, sheet: string): Promise<Uint8Array> {
  const writer = new XlsxStreamWriter({ name: sheet });
  for (const row of rows) writer.addRow(row.map(escaped));
  return writer.finish();
}

/** Escapes a cell as `_x000B_` (ECMA-376, ST_Xstring), which spreadsheets and `readWorkbook` decode. A cell that is too long is truncated. */
function escaped(cell: string): string {
  const text = unescapeFormula(cell) === cell ? cell : `'${cell}`;
  const whole = text.length > cellUnits ? `${text.slice(0, cellUnits - 1)}…` : text;
  return whole.replaceAll(
    escapes,
    (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );
}
