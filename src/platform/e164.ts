/** Whether the text is a phone number in ITU E.164 format: `+`, a country code, at most 15 digits. */
export function isE164(text: string): boolean {
  return /^\+[1-9]\d{6,14}$/.test(text);
}
