import type { Cell, CellValue } from 'hucre/xlsx';
import { addedBy, fixedText, sectionFor, sectionsOf, shownBy, zeroPaddedBy } from './number-format.ts';
import { missingText } from './prepared-workbook.ts';
import { sheetTime } from './sheet-time.ts';

/** The text of a cell. */
export interface CellText {
  readonly text: string;
  /** Why the text is not what the sheet shows, and what to do. */
  readonly problem?: string;
}

/** Returns the text of a cell, in the notation of a CSV list. */
export function cellText(
  value: CellValue,
  cell: Pick<Cell, 'formula' | 'style' | 'type'> | undefined,
  is1904: boolean,
): CellText {
  if (value === null) return { text: cell?.formula === undefined ? '' : `=${cell.formula}` };
  if (cell?.type === 'error' && value === missingText) return { text: missingText, problem: missingProblem };
  const { numFmt } = cell?.style ?? {};
  if (value instanceof Date) {
    const text = sheetTime(value, pictureOf(numFmt), is1904);
    return text === undefined ? { text: outOfRange, problem: outOfRangeProblem } : { text };
  }
  if (typeof value === 'boolean') return { text: String(value) };
  const plain =
    typeof value === 'number' ? (shownNumber(value, pictureOf(numFmt)) ?? numberText(value)) : value;
  return withAdded(value, plain, numFmt);
}

/** What a sheet shows for a number that is out of range for its date format. */
const outOfRange = '#####';
const outOfRangeProblem =
  'has a number that its date format cannot show; format the column as text, then enter the value again';

const missingProblem =
  'refers to a text that the workbook does not contain; enter the value again, or save the workbook again';

/** Returns the text with the digits and the plus sign that the number format adds, as `+44` of `"+44"0`. */
function withAdded(value: number | string, plain: string, format: string | undefined): CellText {
  if (format === undefined || !/["\\$1-9+]/.test(format)) return { text: plain };
  const section = sectionFor(sectionsOf(format), value);
  const added = section && addedBy(section);
  if (section === undefined || added === undefined) return { text: plain };
  const isWhole = typeof value === 'string' || (Number.isSafeInteger(value) && value >= 0);
  if (section.isClear && isWhole) return { text: shownBy(section, String(value)) };
  if (added === 'plus') return { text: plain };
  return {
    text: plain,
    problem: `has the number format ${format}, which adds digits to the number; format the column as text, then enter the whole value`,
  };
}

/** Numbers from this size on have no fraction that a sheet shows; they may be IDs, so they are not rounded. */
const roundedBelow = 1e11;

/**
 * Returns the digits of a number. A fraction is rounded as in a sheet, which shows the binary fraction
 * 23.788099999999996 as 23.7881. A longer number may have lost digits of the file, so it is in the notation of a
 * spreadsheet, which no list accepts as an ID. A number of 15 digits and zeros is recognized by its zeros.
 */
function numberText(value: number): string {
  const isRounded = !Number.isInteger(value) && Math.abs(value) < roundedBelow;
  const text = String(isRounded ? Number(value.toPrecision(12)) : value);
  const isExact = !Number.isInteger(value) || Number.isSafeInteger(value);
  return isExact || /^-?\d{15}0+$/.test(text) ? text : value.toExponential();
}

/** Returns the part of a number format for positive numbers, without literal texts, colors and currencies. */
function pictureOf(format = ''): string {
  const plain = format.replaceAll(/"[^"]*"|\\.|[_*]./g, '').replaceAll(/\[(?![hms]+\])[^\]]*\]/gi, '');
  return plain.split(';', 1)[0] ?? '';
}

/** Returns a percentage, or a fraction with a fixed number of decimals, as the sheet shows it; undefined for other numbers. */
function shownNumber(value: number, picture: string): string | undefined {
  const fixed = /^\s*[#0,]*0(?:\.(0+))?\s*%?\s*$/.exec(picture);
  const decimals = fixed?.[1]?.length ?? 0;
  if (picture.includes('%'))
    return `${Number(fixed ? fixedText(value, decimals, 2) : (value * 100).toPrecision(12))}%`;
  return decimals === 0 || Number.isInteger(value) ? undefined : fixedText(value, decimals);
}

/** Matches a condition of a number format, such as `[>9999999]`. */
const condition = /\[[<>=][^\]]*\]/g;

/**
 * Returns the number of a cell as the sheet shows it, if its number format adds leading zeros: 441234 in the format
 * 00000000 is shown as 00441234. Undefined for other cells.
 */
export function zeroPadded(value: CellValue, format: string | undefined): string | undefined {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || format === undefined)
    return undefined;
  const sections = sectionsOf(format.replaceAll(condition, ''));
  // A condition selects a section, and does not change what the section shows.
  if (sections.length > 1 && format.search(condition) !== -1) return undefined;
  const section = sectionFor(sections, value);
  return section && zeroPaddedBy(section, String(value));
}

/** Returns the name of a cell, such as `B3`, from its row and column, counted from 0. */
export function cellName(row: number, column: number): string {
  return `${columnName(column)}${row + 1}`;
}

/** Returns the letters of a column, such as `B`, from its number, counted from 0. */
export function columnName(column: number): string {
  let letters = '';
  for (let left = column + 1; left > 0; left = Math.floor((left - 1) / 26)) {
    letters = String.fromCodePoint(65 + ((left - 1) % 26)) + letters;
  }
  return letters;
}
