import { isFormula } from '../../platform/csv-cell.ts';

/**
 * A cell that a spreadsheet would run as a formula gets an apostrophe in front (CLIENT-8); validated telephone numbers are none. A
 * cell that looks guarded already gets one more, so that `unguarded` gives back every cell as it was.
 */
export function guarded(cell: string): string {
  return isFormula(cell.replace(/^'+/, ''), true) ? `'${cell}` : cell;
}

/** The cell that `guarded` was given. */
export function unguarded(cell: string): string {
  return cell.startsWith("'") && isFormula(cell.replace(/^'+/, ''), true) ? cell.slice(1) : cell;
}
