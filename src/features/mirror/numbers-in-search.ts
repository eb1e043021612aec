/** A date, or at least seven digits, with or without separators. A phrase can contain a number with spaces. */
const dateOrDigits = /(\d{4}-\d{2}-\d{2}(?!\d))|(?:\(\d+\)|\+?\d)(?:[\s().-]*\d){6,}/g;
/** Minimum number of digits of a phone number without its country code. */
export const fewestDigits = 7;

/** Replaces the phone numbers in a search. */
export function withoutNumbers(search: string): string {
  return search.replaceAll(dateOrDigits, (_, date?: string) => date ?? '(number)');
}

/** Returns the first phone number among the words of a search; undefined if it has none, or only in filters. */
export function numberInWords(search: string): string | undefined {
  const words = search.replaceAll(/-?[a-z]+:(?:"[^"]*"|\S*)/gi, ' ');
  return [...words.matchAll(dateOrDigits)].find(([, date]) => date === undefined)?.[0];
}

/** Whether a search contains a phone number in E.164 format, or its last digits. */
export function namesNumber(search: string, number: string): boolean {
  return [...search.matchAll(dateOrDigits)].some(([text, date]) => {
    if (date !== undefined) return false;
    // The words can be one number with spaces, or several numbers.
    const [all, ...words] = [text, ...text.split(/\s+/)].map((part) => part.replaceAll(/\D/g, ''));
    const last = [all ?? '', ...words].filter(({ length }) => length >= fewestDigits);
    return all?.includes(number.slice(1)) === true || last.some((digits) => number.endsWith(digits));
  });
}
