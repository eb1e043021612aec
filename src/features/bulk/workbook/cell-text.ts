import type { Cell, CellValue } from 'hucre/xlsx';

/** Returns the text of a cell, in the notation of a CSV list. */
export function cellText(value: CellValue, cell: Pick<Cell, 'formula'> | undefined): string {
  if (value === null) return cell?.formula === undefined ? '' : `=${cell.formula}`;
  if (value instanceof Date) return dateText(value);
  if (typeof value === 'number') return numberText(value);
  return typeof value === 'string' ? value : String(value);
}

/**
 * Returns the digits of a number. A longer number may have lost digits of the file, so it is in the notation of a
 * spreadsheet, which no list accepts as an ID. A number of 15 digits and zeros is recognized by its zeros.
 */
function numberText(value: number): string {
  const text = String(value);
  const isExact = !Number.isInteger(value) || Number.isSafeInteger(value);
  return isExact || /^-?\d{15}0+$/.test(text) ? text : value.toExponential();
}

/** Returns a date without time for midnight, because a sheet stores both as a number of days. */
function dateText(date: Date): string {
  if (Number.isNaN(date.getTime())) return '';
  const text = date.toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 19);
}

/**
 * Returns the number of a cell as the sheet shows it, if its number format adds leading zeros: 441234 in the format
 * 00000000 is shown as 00441234. Undefined for other cells.
 */
export function zeroPadded(value: CellValue, format: string | undefined): string | undefined {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || format === undefined)
    return undefined;
  const [positive = ''] = format.split(';');
  const picture = positive.replaceAll(/\[[^\]]*\]/g, '');
  const digits = String(value);
  const literal = /^"(0+)"[0#]+$/.exec(picture)?.[1];
  const shown = /^0{2,}$/.test(picture) ? digits.padStart(picture.length, '0') : `${literal ?? ''}${digits}`;
  return shown === digits ? undefined : shown;
}

/** Returns the name of a cell, such as `B3`, from its row and column, counted from 0. */
export function cellName(row: number, column: number): string {
  let letters = '';
  for (let left = column + 1; left > 0; left = Math.floor((left - 1) / 26)) {
    letters = String.fromCodePoint(65 + ((left - 1) % 26)) + letters;
  }
  return `${letters}${row + 1}`;
}
