import { readXlsx, type ReadOptions, type Sheet, type Workbook } from 'hucre/xlsx';
import { counted, isOrAre } from '../../../platform/counted.ts';
import type { CsvRow } from '../rows.ts';
import { cellName, cellText, columnName, zeroPadded } from './cell-text.ts';
import { prepareWorkbook } from './prepared-workbook.ts';
import { readDateSystem } from './sheet-time.ts';
import { requireBoundedArchive } from './unpacked-size.ts';
import { shellWord } from '../../../platform/shell-quoted.ts';

/** A sheet before its cells are read. */
type SheetInfo = Parameters<Extract<ReadOptions['sheets'], (...info: never[]) => boolean>>[0];

/** The rows of one sheet of a workbook. */
export interface SheetRows {
  readonly rows: readonly CsvRow[];
  /** The name of the sheet. */
  readonly sheet: string;
  /** The names of the other sheets that are visible. */
  readonly others: readonly string[];
  /** Warnings about cells whose value differs from the text that the sheet shows. */
  readonly warnings: readonly string[];
}

/** Digits that a cell for numbers would not keep. */
const longNumber = /^\d{16,}$/;
/** Maximum number of warnings; further cells are counted. */
const maxWarnings = 3;

/**
 * Reads a sheet of an .xlsx workbook: the named sheet, or the first visible sheet. For formulas, it reads the stored
 * results. The library is loaded with this module, so it is loaded only for a workbook.
 * @throws {RangeError} with the reason, for a person: a damaged file, a sheet that does not exist.
 */
export async function readWorkbook(bytes: Uint8Array, wanted: string | undefined): Promise<SheetRows> {
  await requireBoundedArchive(bytes);
  const prepared = prepareWorkbook(bytes);
  const sheets: SheetInfo[] = [];
  let chosen: SheetInfo | undefined;
  const workbook = await open(prepared.bytes, (info) => {
    if (prepared.charts.has(info.index)) return false;
    sheets.push(info);
    if (chosen !== undefined || !isWanted(info, wanted)) return false;
    chosen = info;
    return true;
  });
  const [sheet] = workbook.sheets;
  if (chosen === undefined || sheet === undefined) throw noSheet(sheets, wanted);
  const { name } = chosen;
  return {
    rows: rowsOf(sheet, prepared.is1904),
    sheet: name,
    others: sheets.filter((info) => !isHidden(info) && info.name !== name).map((info) => info.name),
    warnings: [...hiddenRows(sheet), ...hiddenColumns(sheet), ...warningsOf(sheet)],
  };
}

async function open(bytes: Uint8Array, sheets: (info: SheetInfo) => boolean): Promise<Workbook> {
  try {
    return await readXlsx(bytes, { sheets, readStyles: true, dateSystem: readDateSystem });
  } catch (cause) {
    throw new RangeError('the file is not a valid .xlsx workbook; save the list again as .xlsx or as CSV', {
      cause,
    });
  }
}

/** Two sheet names never differ only in case, so the case of the option does not matter. macOS types `é` as two characters. */
function isWanted(info: SheetInfo, wanted: string | undefined): boolean {
  if (wanted === undefined) return !isHidden(info);
  return comparable(info.name) === comparable(wanted);
}

function comparable(name: string): string {
  return name.trim().normalize('NFC').toLowerCase();
}

function isHidden({ hidden, veryHidden }: SheetInfo): boolean {
  return Boolean(hidden) || Boolean(veryHidden);
}

function noSheet(sheets: readonly SheetInfo[], wanted: string | undefined): RangeError {
  const shellNames = sheets
    .map((info) => `${shellWord(info.name)}${isHidden(info) ? ' (hidden)' : ''}`)
    .join(', ');
  return new RangeError(
    wanted === undefined
      ? `all sheets of the workbook are hidden; select a sheet with --sheet: ${shellNames}`
      : `sheet "${wanted}" not found; sheets: ${shellNames}`,
  );
}

/** Returns the rows that contain a value; the line of a row is its number in the sheet. */
function rowsOf({ rows, cells, merges }: Sheet, is1904: boolean): readonly CsvRow[] {
  const merged = coveredCells(rows, merges);
  return rows.flatMap((values, row) => {
    const read = values.map((value, column) => cellText(value, cells?.get(`${row},${column}`), is1904));
    const texts = read.map(({ text }) => text);
    const formulas = values.flatMap((value, column) =>
      value === null && texts[column] !== '' ? [column] : [],
    );
    if (!texts.some((text) => text.trim() !== '')) return [];
    const long = values.flatMap((value, column) =>
      typeof value === 'string' && longNumber.test(value.trim()) ? [column] : [],
    );
    const problems = read.flatMap(({ problem }, column) =>
      problem === undefined ? [] : [[column, problem] as const],
    );
    const covered = merged.get(row);
    return [
      {
        cells: texts,
        line: row + 1,
        ...(covered && { merged: covered }),
        ...(problems.length > 0 && { problems: new Map(problems) }),
        ...(formulas.length > 0 && { formulas }),
        ...(long.length > 0 && { texts: long }),
      },
    ];
  });
}

/** Returns the ranges of merged cells with a value, by the row and the column of the other cells that they cover. */
function coveredCells(
  rows: Sheet['rows'],
  merges: Sheet['merges'] = [],
): ReadonlyMap<number, ReadonlyMap<number, string>> {
  const found = new Map<number, Map<number, string>>();
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0);
  for (const { startRow, startCol, endRow, endCol } of merges) {
    if ((rows[startRow]?.[startCol] ?? '') === '') continue;
    const range = `${cellName(startRow, startCol)}:${cellName(endRow, endCol)}`;
    for (let row = startRow; row <= Math.min(endRow, rows.length - 1); row += 1) {
      const columns = found.get(row) ?? new Map<number, string>();
      for (let column = startCol; column <= Math.min(endCol, width - 1); column += 1) {
        if (row !== startRow || column !== startCol) columns.set(column, range);
      }
      found.set(row, columns);
    }
  }
  return found;
}

/** Returns the warning about rows that the sheet does not show, usually because of a filter, but that belong to the list. */
function hiddenRows({ rows, rowDefs }: Sheet): readonly string[] {
  const hidden = [...(rowDefs ?? [])].filter(
    ([row, { hidden }]) => hidden && rows[row]?.some((value) => value !== null && value !== ''),
  );
  const [first] = hidden.map(([row]) => row + 1).toSorted((one, other) => one - other);
  if (first === undefined) return [];
  const count = `${counted(hidden.length, 'hidden row')} ${isOrAre(hidden.length)}`;
  return [`${count} part of the list, such as row ${first}; to exclude hidden rows, delete them`];
}

/** Returns the warning about columns that the sheet does not show, but that belong to the list. */
function hiddenColumns({ rows, columns = [] }: Sheet): readonly string[] {
  const hidden = columns.flatMap(({ hidden }, column) =>
    hidden && rows.some((values) => (values[column] ?? '') !== '') ? [column] : [],
  );
  const [first] = hidden;
  if (first === undefined) return [];
  const count = `${counted(hidden.length, 'hidden column')} ${isOrAre(hidden.length)}`;
  return [
    `${count} part of the list, such as column ${columnName(first)}; to exclude hidden columns, delete them`,
  ];
}

function warningsOf({ rows, cells }: Sheet): readonly string[] {
  const found: string[] = [];
  for (const [place, { style }] of cells ?? []) {
    const [row = 0, column = 0] = place.split(',').map(Number);
    const value = rows[row]?.[column] ?? null;
    const shown = zeroPadded(value, style?.numFmt);
    if (shown === undefined) continue;
    found.push(
      `cell ${cellName(row, column)} shows ${shown}, but its value is the number ${String(value)}: if you need the zeros, format the column as text`,
    );
  }
  const more = found.length - maxWarnings;
  return more > 0
    ? [
        ...found.slice(0, maxWarnings),
        `${counted(more, 'more cell')} with leading zeros that are not part of the value`,
      ]
    : found;
}
