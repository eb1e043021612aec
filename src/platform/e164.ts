/** Whether the text is a telephone number as the wire wants it: `+`, a country code, at most 15 digits (ITU E.164). */
export function isE164(text: string): boolean {
  return /^\+[1-9]\d{6,14}$/.test(text);
}
