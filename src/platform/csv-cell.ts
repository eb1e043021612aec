/** Quotes a cell if RFC 4180 requires it. */
export function quotedCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Whether a spreadsheet would treat this text as a formula. An E.164 number is harmless as a formula (CLIENT-8). */
export function isFormula(text: string): boolean {
  if (/^\+[1-9]\d{1,14}$/.test(text)) return false;
  return /^[=+\-@\t\r]/.test(text);
}
