import { replaceContent } from '../../platform/replace-content.ts';
import { tableCsv, type FileTable } from './results.ts';

/** Whether the file name has the extension of a workbook. */
function isWorkbookName(file: string): boolean {
  return /\.xlsx$/i.test(file);
}

/** Replaces a file with a table: a workbook for a name ending with .xlsx, otherwise CSV. */
export async function writeTable(
  file: string,
  table: FileTable,
  { raw, sheet }: { readonly raw: boolean; readonly sheet: string },
): Promise<void> {
  if (!isWorkbookName(file)) return replaceContent(file, tableCsv(table, raw));
  const { writeWorkbook } = await import('./workbook/write-workbook.ts');
  await replaceContent(file, await writeWorkbook(table.lines, sheet));
}
