import { XlsxStreamWriter } from 'hucre/xlsx';

/**
 * Formats rows as an .xlsx workbook with one sheet. All cells are texts, so that a spreadsheet neither removes leading
 * zeros nor evaluates a formula. The library is loaded with this module, so it is loaded only for a workbook.
 */
export async function writeWorkbook(rows: Iterable<readonly string[]>, sheet: string): Promise<Uint8Array> {
  const writer = new XlsxStreamWriter({ name: sheet });
  for (const row of rows) writer.addRow([...row]);
  return writer.finish();
}
