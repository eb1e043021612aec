import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readWorkbook } from '../../../src/features/bulk/workbook/read-workbook.ts';
import { requireBoundedArchive } from '../../../src/features/bulk/workbook/unpacked-size.ts';
import { writeWorkbook } from '../../../src/features/bulk/workbook/write-workbook.ts';
import { readListFile, readTable } from '../../../src/features/bulk/index.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { withPart, workbook, workbookOf } from '../../support/workbook.ts';

const mebibyte = 1024 * 1024;

/** A ZIP archive with one entry, whose directory states a size of one byte. */
function archiveOf(content: Buffer): Buffer {
  const packed = deflateRawSync(content);
  const name = Buffer.from('xl/worksheets/sheet1.xml');
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(8, 4);
  common.writeUInt32LE(0, 10);
  common.writeUInt32LE(packed.length, 14);
  common.writeUInt32LE(1, 18);
  common.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, name, packed]);
  const entry = Buffer.concat([
    Buffer.from('PK\u0001\u0002'),
    Buffer.from([20, 0]),
    common,
    Buffer.alloc(14),
    name,
  ]);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, entry, end]);
}

/** The part of a workbook that contains its texts, as XML. */
function textsOf(bytes: Uint8Array): string {
  const name = 'xl/sharedStrings.xml';
  const at = Buffer.from(bytes).indexOf(name);
  // The last member of the header is the size of the extra data after the name.
  const start = at + name.length + Buffer.from(bytes).readUInt16LE(at - 2);
  return inflateRawSync(bytes.subarray(start)).toString();
}

describe('a workbook', () => {
  it('gives a warning for numbers that are shown with leading zeros', async () => {
    const bytes = await workbook([['extension'], [201], [441234], [12]], {
      cells: new Map([
        ['1,0', { style: { numFmt: '0000' } }],
        ['2,0', { style: { numFmt: '"00"0' } }],
        ['3,0', { style: { numFmt: '0.00' } }],
      ]),
    });
    expect((await readWorkbook(bytes, undefined)).warnings).toEqual([
      'cell A2 shows 0201, but its value is the number 201: if you need the zeros, format the column as text',
      'cell A3 shows 00441234, but its value is the number 441234: if you need the zeros, format the column as text',
    ]);
  });

  it.each([
    [String.raw`\00`, 12, '012'],
    ['(000) 000-0000', 12345678, '(001) 234-5678'],
    ['00 00 00 00 00', 612345678, '06 12 34 56 78'],
    ['0#" "##" "##" "##" "##', 612345678, '06 12 34 56 78'],
    ['"Tel. 0"0', 12, 'Tel. 012'],
    ['0000;-0000', 12, '0012'],
    ['[<=9999]0000', 12, '0012'],
    ['[Red]0000" m2"', 12, '0012 m2'],
  ])('gives a warning for leading zeros of the format %s', async (numFmt, value, shown) => {
    const bytes = await workbook([['extension'], [value]], {
      cells: new Map([['1,0', { style: { numFmt } }]]),
    });
    expect((await readWorkbook(bytes, undefined)).warnings).toEqual([
      `cell A2 shows ${shown}, but its value is the number ${value}: if you need the zeros, format the column as text`,
    ]);
  });

  it.each([
    ['0 0', 12],
    ['0" m20"', 12],
    ['#,##0', 12],
    ['#00', 12],
    ['(000) 000-0000', 6505550112],
    ['"+44"0000', 12],
    ['0.0', 12],
    // The condition selects a section.
    ['[>9999999](000) 000-0000;000-0000', 12345],
  ])('gives no warning for the format %s of %s, which adds no leading zeros', async (numFmt, value) => {
    const bytes = await workbook([['extension'], [value]], {
      cells: new Map([['1,0', { style: { numFmt } }]]),
    });
    expect((await readWorkbook(bytes, undefined)).warnings).toEqual([]);
  });

  it('gives a warning for rows that a filter hides, because they belong to the list', async () => {
    const hidden = { hidden: true };
    const rowDefs = new Map([
      [2, hidden],
      [3, hidden],
      [4, hidden],
    ]);
    const bytes = await workbook([['to'], ['a'], ['b'], ['c']], { rowDefs });
    const { rows, warnings } = await readWorkbook(bytes, undefined);
    expect(rows).toHaveLength(4);
    expect(warnings).toEqual([
      '2 hidden rows are part of the list, such as row 3; to exclude hidden rows, delete them',
    ]);
  });

  it('gives a warning for hidden columns, because they belong to the list', async () => {
    const columns = [{}, { hidden: true }, {}, { hidden: true }, { hidden: true }];
    const bytes = await workbook([['to', 'name', 'note', '', 'site']], { columns });
    expect((await readWorkbook(bytes, undefined)).warnings).toEqual([
      '2 hidden columns are part of the list, such as column B; to exclude hidden columns, delete them',
    ]);
  });

  it('has a problem for each cell of a used column that merged cells cover', async () => {
    const bytes = await workbook(
      [
        ['People of the night shift', null, null],
        ['agent', 'department', 'note'],
        ['102', 'Night shift', 'x'],
        ['103', null, null],
        ['104', null, null],
        ['105', null, null],
      ],
      {
        merges: [
          { startRow: 0, startCol: 0, endRow: 0, endCol: 2 },
          { startRow: 2, startCol: 1, endRow: 3, endCol: 1 },
          { startRow: 2, startCol: 2, endRow: 5, endCol: 2 },
          { startRow: 4, startCol: 1, endRow: 5, endCol: 1 },
        ],
      },
    );
    const { rows } = await readWorkbook(bytes, undefined);
    const table = readTable({ rows, broken: [] }, 'list.xlsx', {
      fields: [
        { name: 'agent', headings: [['agent']], column: 'required', cell: 'required' },
        { name: 'department', headings: [['department']], column: 'optional', cell: 'optional' },
      ],
    });
    expect(table.problems).toMatchObject([
      {
        place: { line: 4, column: 'department' },
        text: 'is covered by the merged cells B3:B4; unmerge the cells, and enter the value of each row',
        isOfRow: true,
      },
    ]);
  });

  it('is read from its first visible sheet, or from a named one', async () => {
    const bytes = await workbookOf([
      { name: 'Old', rows: [['old']], hidden: true },
      { name: 'January', rows: [['january']] },
      { name: 'February', rows: [['february']] },
    ]);
    expect(await readWorkbook(bytes, undefined)).toMatchObject({ sheet: 'January', others: ['February'] });
    expect((await readWorkbook(bytes, 'february')).rows).toEqual([{ line: 1, cells: ['february'] }]);
    expect((await readWorkbook(bytes, 'Old')).rows).toEqual([{ line: 1, cells: ['old'] }]);
    await expect(readWorkbook(bytes, 'March')).rejects.toThrow(
      'sheet "March" not found; sheets: Old (hidden), January, February',
    );
  });

  it('is read from its first sheet with cells, if a chart is before it', async () => {
    const two = await workbookOf([
      { name: 'Chart', rows: [['chart']] },
      { name: 'People', rows: [['people']] },
    ]);
    const bytes = withPart(two, 'xl/_rels/workbook.xml.rels', (xml) =>
      xml.replace(/(<Relationship\b[^>]*relationships\/)worksheet("[^>]*sheet1\.xml)/, '$1chartsheet$2'),
    );
    expect(await readWorkbook(bytes, undefined)).toMatchObject({ sheet: 'People', others: [] });
    await expect(readWorkbook(bytes, 'Chart')).rejects.toThrow('sheet "Chart" not found; sheets: People');
  });

  it('has a sheet whose name is typed with another form of an accent, as on macOS', async () => {
    const bytes = await workbookOf([
      { name: 'One', rows: [['one']] },
      { name: 'Qualité'.normalize('NFC'), rows: [['two']] },
      { name: 'Année'.normalize('NFD'), rows: [['three']] },
    ]);
    expect((await readWorkbook(bytes, 'qualité'.normalize('NFD'))).rows).toEqual([
      { line: 1, cells: ['two'] },
    ]);
    expect((await readWorkbook(bytes, 'Année'.normalize('NFC'))).rows).toEqual([
      { line: 1, cells: ['three'] },
    ]);
  });

  it('that is written is read back with every text, also one that looks like a formula or a number', async () => {
    const rows = [
      ['extension', 'note'],
      ['0102', '=1+1'],
      ["'quoted", '1E5'],
      ['a\u000Bb\0\u001F\uFFFF', '_x0041_ _X0041_ _x41_'],
    ];
    const { rows: read } = await readWorkbook(await writeWorkbook(rows, 'Results'), undefined);
    expect(read.map(({ cells }) => cells)).toEqual(rows);
  });

  it('has no apostrophes before formulas, which a spreadsheet stores when it opens a CSV export', async () => {
    const fields = [
      { name: 'note', headings: [['note']], column: 'required', cell: 'required', freeText: true },
    ] as const;
    const notesOf = async (bytes: Uint8Array): Promise<readonly string[]> => {
      const { rows } = await readWorkbook(bytes, undefined);
      return readTable({ rows, broken: [] }, 'list.xlsx', { fields }).rows.map((row) => row.value('note'));
    };
    expect(await notesOf(await workbook([['note'], ["'=1+1"], ["''=x"], ["'- dash"], ["'t Hooft"]]))).toEqual(
      ['=1+1', "'=x", '- dash', "'t Hooft"],
    );
    const texts = ['=1+1', "'=x", "''=x", "'t Hooft", '+16505550112', "'+16505550112"];
    const written = await writeWorkbook([['note'], ...texts.map((text) => [text])], 'Results');
    expect(await notesOf(written)).toEqual(texts);
  });

  it('that is written has no characters that XML cannot contain, and no cell that is too long', async () => {
    const bytes = await writeWorkbook([['a\u000Bb'], ['é'.repeat(40_000)]], 'Results');
    expect(textsOf(bytes)).toMatch(/<t[^>]*>a_x000B_b<\/t>/);
    const { rows: read } = await readWorkbook(bytes, undefined);
    expect(read.map(({ cells }) => cells)).toEqual([['a\u000Bb'], [`${'é'.repeat(32_766)}…`]]);
  });

  it('that unpacks to more than the limit is rejected, whatever size its directory states', async () => {
    const bomb = archiveOf(Buffer.alloc(4 * mebibyte));
    expect(bomb.length).toBeLessThan(mebibyte / 64);
    await expect(requireBoundedArchive(bomb, mebibyte)).rejects.toThrow(
      'the unpacked size of the file is more than 1 MB',
    );
    await expect(requireBoundedArchive(bomb, 4 * mebibyte)).resolves.toBeUndefined();
  });

  it.each([
    ['is cut', (bytes: Uint8Array) => bytes.subarray(0, bytes.length - 30), 'a damaged ZIP archive'],
    ['is not a workbook', () => archiveOf(Buffer.from('text')), 'not a valid .xlsx workbook'],
  ])('that %s is rejected', async (_, spoil, reason) => {
    const bytes = await workbook([['extension'], ['102']]);
    await expect(readWorkbook(spoil(bytes), undefined)).rejects.toThrow(reason);
  });
});

describe('a list file', () => {
  const open = async (bytes: Uint8Array | string, sheet?: string) => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'list'), bytes);
    const notes: string[] = [];
    const say = (text: string): void => void notes.push(text);
    const input = { bytes: () => Promise.resolve(new Uint8Array()) };
    const content = await readListFile({ cwd, input, out: { note: say, warn: say } }, 'list', sheet);
    return { content, notes };
  };

  it('is recognized by its content, and a note names the encoding or the sheet', async () => {
    expect((await open('a,b\n')).notes).toEqual([]);
    expect((await open(Buffer.from('Zürich\n', 'latin1'))).notes).toEqual([
      'ucctl reads list as Windows-1252; if names look wrong, save the file as UTF-8.',
    ]);
    expect((await open(Buffer.from('Zürich\n', 'utf16le'))).notes).toEqual([
      'ucctl reads list as UTF-16 (little endian).',
    ]);
    const two = await workbookOf([
      { name: 'One', rows: [['a']] },
      { name: 'Two', rows: [['b']] },
    ]);
    expect(await open(two)).toEqual({
      content: { rows: [{ line: 1, cells: ['a'] }], broken: [] },
      notes: ['ucctl reads the sheet "One" of list. For another sheet, use --sheet: Two.'],
    });
    expect((await open(two, 'Two')).notes).toEqual([]);
  });

  it.each([
    ['--sheet cannot be used', 'a,b\n', 'One'],
    ['old Excel workbook', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]), undefined],
    [
      'an OpenDocument file',
      Buffer.from(`PK\u0003\u0004${'0'.repeat(26)}mimetypeapplication/vnd.oasis.opendocument.spreadsheet`),
      undefined,
    ],
  ])('is rejected with the reason: %s', async (reason, bytes, sheet) => {
    await expect(open(bytes, sheet)).rejects.toThrow(reason);
  });
});
