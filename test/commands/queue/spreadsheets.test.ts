import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CellValue } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { workbook, workbookOf } from '../../support/workbook.ts';
import { openOffice } from '../office.ts';

/** The list of every spreadsheet below. A name with accents shows whether its encoding was recognized. */
const rows = [
  ['Call Queue', 'Ext.', 'Add/Remove', 'Note'],
  ['Support', '105', 'Add', 'first'],
  ['Support', 'José Álvarez', 'Remove', 'two, parts'],
  ['202', '103', 'add', ''],
] as const;

const csv = (delimiter: string, newline: string): string =>
  rows
    .map((row) => row.map((cell) => (/[,;\t]/.test(cell) ? `"${cell}"` : cell)).join(delimiter) + newline)
    .join('');
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
/** Extension numbers and queue numbers as a spreadsheet stores them if they are typed into cells. */
const asNumbers: readonly (readonly CellValue[])[] = rows.map((row) =>
  row.map((cell) => (/^\d+$/.test(cell) ? Number(cell) : cell || null)),
);

const spreadsheets: readonly (readonly [string, () => Uint8Array | string | Promise<Uint8Array>])[] = [
  ['UTF-8, commas, LF', () => csv(',', '\n')],
  ['UTF-8, commas, CRLF', () => csv(',', '\r\n')],
  ['UTF-8, commas, CR', () => csv(',', '\r')],
  ['UTF-8 with a mark, commas', () => `\uFEFF${csv(',', '\r\n')}`],
  ['UTF-8 with a mark, semicolons', () => `\uFEFF${csv(';', '\r\n')}`],
  ['UTF-8, tabs', () => csv('\t', '\n')],
  ['UTF-8 with sep=;', () => `sep=;\r\n${csv(';', '\r\n')}`],
  ['UTF-16 little endian with a mark, tabs', () => utf16(`\uFEFF${csv('\t', '\r\n')}`)],
  ['UTF-16 little endian, tabs', () => utf16(csv('\t', '\r\n'))],
  ['UTF-16 big endian with a mark, tabs', () => utf16(`\uFEFF${csv('\t', '\r\n')}`).swap16()],
  ['UTF-16 big endian, semicolons', () => utf16(csv(';', '\r\n')).swap16()],
  ['Windows-1252, semicolons', () => Buffer.from(csv(';', '\r\n'), 'latin1')],
  ['Windows-1252, commas, CR', () => Buffer.from(csv(',', '\r'), 'latin1')],
  ['.xlsx with numbers as texts', () => workbook(rows)],
  ['.xlsx with numbers as numbers', () => workbook(asNumbers)],
  ['.xlsx with empty rows', () => workbook([[], ...asNumbers.flatMap((row) => [row, [null, null]])])],
  [
    '.xlsx with a merged title above the headings',
    () =>
      workbook([['Changes of January'], [], ...asNumbers], {
        merges: [{ startRow: 0, startCol: 0, endRow: 0, endCol: 3 }],
      }),
  ],
  [
    '.xlsx with a hidden sheet before the list, and another behind it',
    () =>
      workbookOf([
        { name: 'Lookup', rows: [['queue', 'extension']], hidden: true },
        { name: 'Changes', rows: asNumbers.map((row) => [...row]) },
        { name: 'Notes', rows: [['nothing']] },
      ]),
  ],
  [
    '.xlsx with formulas',
    () =>
      workbook(asNumbers, {
        cells: new Map([['1,1', { formula: '100+5', formulaResult: 105, value: 105, type: 'formula' }]]),
      }),
  ],
  ['.xlsx saved by LibreOffice 7.4', () => readFileSync('test/fixtures/lists/libreoffice.xlsx')],
];

describe('a list that an office saved', () => {
  it('has one plan in each of twenty forms', async () => {
    const { run } = await openOffice();
    const cwd = temporaryFolder();
    const paths = temporaryPaths();
    expect(spreadsheets).toHaveLength(20);
    for (const [form, make] of spreadsheets) {
      writeFileSync(join(cwd, 'list'), await make());
      const plan = await run('queue plan -f list --fields action,queue,extension', { cwd, paths });
      expect([form, plan.exit, plan.stdout]).toEqual([
        form,
        0,
        'add\t201\t105\nremove\t201\t103\nadd\t202\t103\n',
      ]);
    }
  });
});
