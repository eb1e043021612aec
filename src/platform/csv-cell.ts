/** Quotes a cell if RFC 4180 requires it. */
export function quotedCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Adds an apostrophe before a cell that a spreadsheet would evaluate as a formula (CLIENT-8), except validated
 * telephone numbers. A cell that already starts with such an apostrophe gets another apostrophe, so that
 * `unescapeFormula` restores every cell exactly.
 */
export function escapeFormula(cell: string): string {
  return isFormula(cell.replace(/^'+/, '')) ? `'${cell}` : cell;
}

/** Reverses `escapeFormula`. An apostrophe before other text, such as a name, stays. */
export function unescapeFormula(cell: string): string {
  return cell.startsWith("'") && isFormula(cell.replace(/^'+/, '')) ? cell.slice(1) : cell;
}

/** Whether a spreadsheet would treat this text as a formula. An E.164 number is harmless as a formula (CLIENT-8). */
function isFormula(text: string): boolean {
  if (/^\+[1-9]\d{1,14}$/.test(text)) return false;
  return /^[=+\-@\t\r]/.test(text);
}
