/** Length in UTF-16 code units, as the service counts text (SMS-8): an astral character counts 2. */
export function countUtf16Units(text: string): number {
  return text.length;
}
