/** Quotes a cell if RFC 4180 requires it. */
export function quotedCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Whether a spreadsheet would treat this text as a formula. In a column of phone numbers, a phone number does not count. */
export function isFormula(text: string, isPhone: boolean): boolean {
  if (isPhone && /^\+[1-9]\d{1,14}$/.test(text)) return false;
  return /^[=+\-@\t\r]/.test(text);
}
