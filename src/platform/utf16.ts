/** Length in UTF-16 code units, in which the service measures text (SMS-8); an emoji has 2 or more. */
export function countUtf16Units(text: string): number {
  return text.length;
}
