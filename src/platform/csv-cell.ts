/** Quotes a cell as RFC 4180 asks. */
export function quotedCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Whether a spreadsheet would run this text as a formula. Telephone numbers, where one is expected, are none. */
export function isFormula(text: string, isPhone: boolean): boolean {
  if (isPhone && /^\+[1-9]\d{1,14}$/.test(text)) return false;
  return /^[=+\-@\t\r]/.test(text);
}
