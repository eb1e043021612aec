/** Quotes a cell if RFC 4180 requires it. */
export function quotedCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Matches the apostrophes before a formula, which can be none: at the start of a cell, and after a semicolon, tab or line
 * break, where a spreadsheet starts a new cell if its separator is not a comma. An E.164 number is harmless as a formula
 * (CLIENT-8).
 */
const beforeFormula =
  /(?:^'*(?=[=+\-@\t\r\n])|(?<=[;\t\r\n])'*(?=[=+\-@]))(?!\+[1-9]\d{1,14}(?:[;\t\r\n]|$))/g;

/** Matches the cells that can contain a formula. */
const mayBeFormula = /^['=+\-@]|[;\t\r\n]/;

/**
 * Adds an apostrophe before each part of a cell that a spreadsheet would evaluate as a formula (CLIENT-8), except
 * validated telephone numbers. A part that already starts with such an apostrophe gets another apostrophe, so that
 * `unescapeFormula` restores every cell exactly.
 */
export function escapeFormula(cell: string): string {
  if (!mayBeFormula.test(cell)) return cell;
  return cell.replaceAll(beforeFormula, (apostrophes) => `'${apostrophes}`);
}

/** Reverses `escapeFormula`. An apostrophe before other text, such as a name, stays. */
export function unescapeFormula(cell: string): string {
  if (!mayBeFormula.test(cell)) return cell;
  return cell.replaceAll(beforeFormula, (apostrophes) => apostrophes.slice(1));
}
