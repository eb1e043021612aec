import { isFormula } from '../../platform/csv-cell.ts';

/**
 * Adds an apostrophe before a cell that a spreadsheet would evaluate as a formula (CLIENT-8), except validated
 * telephone numbers. A cell that already starts with such an apostrophe gets another apostrophe, so that
 * `unescapeFormula` restores every cell exactly.
 */
export function escapeFormula(cell: string): string {
  return isFormula(cell.replace(/^'+/, '')) ? `'${cell}` : cell;
}

/** Reverses `escapeFormula`. */
export function unescapeFormula(cell: string): string {
  return cell.startsWith("'") && isFormula(cell.replace(/^'+/, '')) ? cell.slice(1) : cell;
}
