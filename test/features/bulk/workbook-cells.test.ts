import { describe, expect, it } from 'vitest';
import { readTable } from '../../../src/features/bulk/index.ts';
import { readWorkbook } from '../../../src/features/bulk/workbook/read-workbook.ts';
import { withPart, workbook } from '../../support/workbook.ts';

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
      [1.0625, '[hh]:mm:ss', '25:30'],
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
    const bytes = await workbook([['value'], ...shown.map(([value]) => [value])], {
      cells: new Map(shown.map(([, numFmt], index) => [`${index + 1},0`, { style: { numFmt } }])),
    });
    const { rows } = await readWorkbook(bytes, undefined);
    expect(rows.slice(1).map(({ cells }) => cells[0])).toEqual(shown.map(([, , text]) => text));
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
