/** At least seven digits, with or without separators. */
const digits = /\+?\d(?:[().-]*\d){6,}/g;
const date = /^\d{4}-\d{2}-\d{2}$/;

/** Replaces the phone numbers in a search. */
export function withoutNumbers(search: string): string {
  return search.replaceAll(digits, (text) => (date.test(text) ? text : '(number)'));
}

/** Whether a search contains a phone number in E.164 format, or its last digits. */
export function namesNumber(search: string, number: string): boolean {
  const found = search.match(digits) ?? [];
  return found.some((text) => number.endsWith(text.replaceAll(/\D/g, '')));
}
