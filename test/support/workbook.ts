import { writeXlsx, type CellValue, type WriteSheet } from 'hucre/xlsx';
import { contentOf, entriesOf, withContents } from '../../src/features/bulk/workbook/archive.ts';

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

/** A workbook with another text of one of its files, such as `xl/worksheets/sheet1.xml`. */
export function withPart(bytes: Uint8Array, name: string, edit: (text: string) => string): Uint8Array {
  const entry = [...entriesOf(bytes)].find((one) => one.name === name);
  if (entry === undefined) throw new Error(`the workbook has no ${name}`);
  return withContents(bytes, new Map([[entry, Buffer.from(edit(contentOf(entry).toString()))]]));
}
