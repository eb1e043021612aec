import Table from 'cli-table3';
import { widthOf } from '../platform/text-width.ts';
import { runsRightToLeft } from '../platform/isolate.ts';

/** Spaces between two columns. */
export const gap = 2;

export interface GridColumn {
  /** Minimum width in columns; a wider cell widens it. */
  readonly width: number;
  readonly right: boolean;
}

const noLines = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' '.repeat(gap),
} as const;

// Placeholders without width or effect: the table library counts isolate characters, but not escape sequences.
const isolated = ['\u001B[1068m', '\u001B[1069m'] as const;
/** Marks right-to-left text, so that the terminal does not reorder other cells. */
export function isolate(cell: string): string {
  return runsRightToLeft(cell) ? `${isolated[0]}${cell}${isolated[1]}` : cell;
}

/** Aligns rows of finished cells, which may be colored, in columns without borders. */
export function drawGrid(columns: readonly GridColumn[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const table = new Table({
    chars: noLines,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colWidths: columns.map(({ width }, index) =>
      Math.max(width, ...rows.map((row) => widthOf(row[index] ?? ''))),
    ),
    colAligns: columns.map(({ right }) => (right ? 'right' : 'left')),
  });
  table.push(...rows.map((row) => [...row]));
  return table
    .toString()
    .split('\n')
    .map((line) => `${line.trimEnd()}\n`)
    .join('')
    .replaceAll(isolated[0], '\u2068')
    .replaceAll(isolated[1], '\u2069');
}
