import { describe, expect, it } from 'vitest';
import { readTable } from '../../../src/features/bulk/index.ts';
import { readWorkbook } from '../../../src/features/bulk/workbook/read-workbook.ts';
import { withPart, workbook } from '../../support/workbook.ts';

type FormattedCell = readonly [number | string, string, ...unknown[]];

/** A workbook with the heading `value` and a row for each cell, with its number format. */
function sheetOf(cells: readonly FormattedCell[]): Promise<Uint8Array> {
  return workbook([['value'], ...cells.map(([value]) => [value])], {
    cells: new Map(cells.map(([, numFmt], index) => [`${index + 1},0`, { style: { numFmt } }])),
  });
}

/** The problems of cells in a column of IDs and in one of free text. */
async function problemsOf(cells: readonly FormattedCell[]): Promise<readonly string[]> {
  const { rows } = await readWorkbook(await sheetOf(cells), undefined);
  const tables = [false, true].map((freeText) =>
    readTable({ rows, broken: [] }, 'list.xlsx', {
      fields: [{ name: 'value', headings: [['value']], column: 'required', cell: 'required', freeText }],
    }),
  );
  return tables
    .flatMap(({ problems }) => problems)
    .toSorted((one, other) => (one.place?.line ?? 0) - (other.place?.line ?? 0))
    .map(({ text }) => text);
}

/** The texts of the first column of a workbook, without its heading. */
async function textsOf(bytes: Uint8Array): Promise<readonly (string | undefined)[]> {
  const { rows } = await readWorkbook(bytes, undefined);
  return rows.slice(1).map(({ cells }) => cells[0]);
}

describe('a cell of a workbook', () => {
  it('has its texts unchanged, numbers as digits and dates as days', async () => {
    const bytes = await workbook([
      ['text', 'number', 'date', 'time', 'flag'],
      [' 0201 ', 102, new Date('2026-01-05T00:00:00Z'), new Date('2026-01-05T14:30:00Z'), true],
      [null, 1234567890123456789n.toString(), null, null, null],
    ]);
    expect((await readWorkbook(bytes, undefined)).rows).toEqual([
      { line: 1, cells: ['text', 'number', 'date', 'time', 'flag'] },
      { line: 2, cells: [' 0201 ', '102', '2026-01-05', '2026-01-05 14:30', 'true'] },
      { line: 3, cells: ['', '1234567890123456789', '', '', ''], texts: [1] },
    ]);
  });

  it('has times, durations, percentages and decimals as the sheet shows them', async () => {
    const shown: readonly (readonly [number, string, string])[] = [
      [0.375, 'h:mm', '09:00'],
      [0, 'hh:mm', '00:00'],
      [0.3750231481481481, 'hh:mm:ss\\ AM/PM', '09:00:02'],
      [1.0625, '[hh]:mm:ss', '25:30:00'],
      [46115.375, 'dd.mm.yyyy', '2026-04-03 09:00'],
      [0.125, '0.0# %', '12.5%'],
      [0.5, '0.00%', '50%'],
      [0.07, '0%', '7%'],
      [12.5, '[$$-409]#,##0.00;[RED]\\-[$$-409]#,##0.00', '12.50'],
      [102, '0.00', '102'],
      [3.5, '# ?/?', '3.5'],
      // The result of 19.99*1.19, the sum of a thousand times 0.1, and a third.
      [23.788099999999996, 'General', '23.7881'],
      [99.9999999999986, 'General', '100'],
      [-1 / 3, 'General', '-0.333333333333'],
      // A fraction of a number that could be an ID does not become another number.
      [400134567890123.5, 'General', '400134567890123.5'],
    ];
    expect(await textsOf(await sheetOf(shown))).toEqual(shown.map(([, , text]) => text));
  });

  it('has no value in a cell that is blank, whatever its type', async () => {
    const bytes = withPart(
      await workbook([
        ['agent', 'company', 'title', 'active'],
        [102, '', 'Manager', true],
        [103, 'x'],
      ]),
      'xl/worksheets/sheet1.xml',
      (xml) =>
        xml.replace(
          /<row r="2".*<\/row>/s,
          '<row r="2"><c r="A2"><v>102</v></c><c r="B2" t="s"/><c r="C2" t="s"><v/></c><c r="D2" t="b"/></row>' +
            '<row r="3"><c t="n" r="A3"><v>103</v></c><c r="B3" t="s"><v></v></c>' +
            "<c r='C3' s='0' t='s' >\n<v> </v>\n</c><c r=\"D3\" t=\"b\"><v></v></c></row>" +
            '<row r="4"><c r="A4"><v>104</v></c><c r="B4" t="s"><v>0</v></c><c r="C4" t="b"><v>0</v></c>' +
            '<c r="D4" t="b"><f>NOT(A1)</f><v></v></c></row>' +
            '<row r="5"><c r="A5"><v> </v></c><c r="B5" t="str"><f>A1</f><v></v></c><c r="C5"><v>5</v></c></row>',
        ),
    );
    const { rows } = await readWorkbook(bytes, undefined);
    expect(rows.slice(1).map(({ cells }) => cells)).toEqual([
      ['102', '', '', ''],
      ['103', '', '', ''],
      ['104', 'agent', 'false', '=NOT(A1)'],
      ['', '', '5', ''],
    ]);
  });

  it('has a problem if the workbook does not contain its text', async () => {
    const rows = [['value'], ['102'], ['103'], ['104'], ['105']];
    // A text of the workbook names an element of a sheet.
    const bytes = withPart(await workbook([...rows, ['sheetData']]), 'xl/worksheets/sheet1.xml', (xml) =>
      xml
        .replace(/(<c r="A3"[^>]*><v>)\d+/, '$16')
        .replace(/(<c r="A4"[^>]*><v>)\d+/, '$1-1')
        .replace(/(<c r="A5"[^>]*>)<v>\d+/, '$1<f>A1</f><v>700'),
    );
    const read = await readWorkbook(bytes, undefined);
    const problem =
      'refers to a text that the workbook does not contain; enter the value again, or save the workbook again';
    expect(read.rows.map(({ problems }) => [...(problems ?? [])])).toEqual([
      [],
      [],
      [[0, problem]],
      [[0, problem]],
      [[0, problem]],
      [],
    ]);
    const table = readTable({ rows: read.rows, broken: [] }, 'list.xlsx', {
      fields: [{ name: 'value', headings: [['value']], column: 'required', cell: 'required' }],
    });
    expect(table.problems).toMatchObject(
      [3, 4, 5].map((line) => ({ place: { line, column: 'value' }, text: problem })),
    );
  });

  it('has the digits and the plus sign that a number format adds', async () => {
    const shown: readonly (readonly [number | string, string, string])[] = [
      [2079460000, '"+44"0', '+442079460000'],
      [2079460000, '"+44 "00 0000 0000', '+44 20 7946 0000'],
      [2079460000, String.raw`\+\4\40`, '+442079460000'],
      [2079460000, '[$+44-809]0;[Red]-0', '+442079460000'],
      [442079460000, '"+"0', '+442079460000'],
      [442079460000, '+#', '+442079460000'],
      [2079460000, '"+44"General', '+442079460000'],
      ['2079460000', '"+44"@', '+442079460000'],
      [12, '0"00"', '1200'],
      [12, '0"-"0', '12'],
      // Units, colors and signs of amounts add no digits.
      [12.5, '0.0" m2"', '12.5'],
      [12, '"Tel. "0', '12'],
      [12, '[Color10]0', '12'],
      [3.5, '+0.0;-0.0', '3.5'],
    ];
    expect(await textsOf(await sheetOf(shown))).toEqual(shown.map(([, , text]) => text));
  });

  it('has a problem if its number format adds digits and is not understood', async () => {
    const formats = ['"+44"#,##0', '"+44"[<5]0', '"+44"0.0', '+440', '0000', '# ?/16'];
    const problem = (format: string): string =>
      `has the number format ${format}, which adds digits to the number; format the column as text, then enter the whole value`;
    const cells = formats.map((format) => [20.5, format] as const);
    expect(await problemsOf(cells)).toEqual(
      formats.slice(0, 4).flatMap((format) => Array(2).fill(problem(format))),
    );
  });

  it('has a problem if its date format cannot show the number', async () => {
    const problem =
      'has a number that its date format cannot show; format the column as text, then enter the value again';
    const cells = [
      [2079460000, 'yyyy-mm-dd'],
      [16505550112, 'yyyy-mm-dd'],
      [2958466, 'h:mm'],
      [-1, 'dd.mm.yyyy hh:mm'],
    ] as const;
    expect(await problemsOf(cells)).toEqual(Array(8).fill(problem));
  });

  it.each([false, true])('has its dates and durations in its date system (1904: %s)', async (is1904) => {
    const shown: readonly (readonly [number, string, string])[] = [
      [60, '[h]:mm', '1440:00'],
      [59.5, '[h]:mm', '1428:00'],
      [60.5, '[h]:mm', '1452:00'],
      [1234.0625, '[hh]:mm:ss', '29617:30:00'],
      [0.0625, '[mm]:ss', '90:00'],
      [1.0625, '[s]', '91800'],
      [1.5, '[h]', '36:00'],
      [-0.25, '[h]:mm', '-06:00'],
      [300 / 86_400, 'mm:ss', '05:00'],
      [305 / 86_400, 'mm:ss', '05:05'],
      [0.375, 'h:mm:ss AM/PM', '09:00:00'],
      [0.375, 'h AM/PM', '09:00'],
      [0.3750231481481481, 'hh:mm', '09:00:02'],
      [1000.375, 'yyyy-mm-dd hh:mm:ss', is1904 ? '1906-09-27 09:00:00' : '1902-09-26 09:00:00'],
      [1000, 'd/m/yyyy', is1904 ? '1906-09-27' : '1902-09-26'],
      [59, 'd/m/yyyy', is1904 ? '1904-02-29' : '1900-02-28'],
      [61, 'd/m/yyyy', is1904 ? '1904-03-02' : '1900-03-01'],
      [is1904 ? 2_957_003 : 2_958_465, 'd/m/yyyy', '9999-12-31'],
    ];
    const bytes = withPart(await sheetOf(shown), 'xl/workbook.xml', (xml) =>
      xml.replace(/<workbookPr[^>]*\/>|(?=<sheets>)/, `<workbookPr${is1904 ? ' date1904="1"' : ''}/>`),
    );
    expect(await textsOf(bytes)).toEqual(shown.map(([, , text]) => text));
  });

  it('has fractions rounded as the sheet shows them, half away from zero', async () => {
    const shown: readonly (readonly [number, string, string])[] = [
      [2.675, '0.00', '2.68'],
      [1.005, '#,##0.00', '1.01'],
      [-2.675, '0.00', '-2.68'],
      [1234.565, '"€" #,##0.00', '1234.57'],
      [0.045, '0.0', '0.0'],
      [0.05, '0.0', '0.1'],
      [999.995, '0.00', '1000.00'],
      [0.00285, '0.00%', '0.29%'],
      [0.145, '0%', '15%'],
      [1e-20, '0.00', '0.00'],
      [0.1 + 0.2, '0.00', '0.30'],
    ];
    expect(await textsOf(await sheetOf(shown))).toEqual(shown.map(([, , text]) => text));
  });

  it('has no digits that a number of the sheet may have lost', async () => {
    // An ID of 18 digits, as a program writes it into a cell for numbers.
    const bytes = await workbook([
      ['extension'],
      [Number('400134567890123456')],
      [Number('400134567890123000')],
      ['4001345678901230'],
      [new Date('2026-01-05T14:30:00Z')],
    ]);
    const { rows } = await readWorkbook(bytes, undefined);
    const table = readTable({ rows, broken: [] }, 'list.xlsx', {
      fields: [{ name: 'extension', headings: [['extension']], column: 'required', cell: 'required' }],
    });
    expect(table.problems.map(({ text }) => text)).toEqual([
      '"4.0013456789012346e+17" was probably changed by a spreadsheet; format the column as text',
      expect.stringContaining('"400134567890123000" lost its last digits'),
      expect.stringContaining('"2026-01-05 14:30" is a date that a spreadsheet probably created'),
    ]);
  });
});
