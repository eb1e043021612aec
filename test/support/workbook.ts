import { writeXlsx, type CellValue, type WriteSheet } from 'hucre/xlsx';

/** A workbook with one sheet of these rows, as the bytes of an .xlsx file. */
export function workbook(
  rows: readonly (readonly CellValue[])[],
  more: Partial<WriteSheet> = {},
): Promise<Uint8Array> {
  return workbookOf([{ name: 'List', rows: rows.map((row) => [...row]), ...more }]);
}

/** A workbook with several sheets. */
export function workbookOf(sheets: readonly WriteSheet[]): Promise<Uint8Array> {
  return writeXlsx({ sheets: [...sheets] });
}
