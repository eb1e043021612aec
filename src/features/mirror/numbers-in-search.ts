import { splitAtTrunkZero } from '../../platform/e164.ts';

/** A date, or at least seven digits, with or without separators. A phrase can contain a number with spaces. */
const dateOrDigits = /(\d{4}-\d{2}-\d{2}(?!\d))|(?:\(\d+\)|\+?\d)(?:[\s().-]*\d){6,}/g;
/** Minimum number of digits of a phone number without its country code. */
export const fewestDigits = 7;

/**
 * Matches what is dialed before a number without a plus sign: a trunk prefix, 00 or 011. Hungary has the trunk prefix 06
 * and Russia 8. Enough digits must follow, because the number of another country can begin with these digits.
 */
const dialedPrefix = /^(?:011(?=\d{10})|06(?=\d{9}$)|8(?=\d{10}$)|0+(?=\d{7}))/;
/**
 * Returns a phone number in any notation, or its beginning, as digits with or without a plus sign. If it may have a
 * trunk prefix after its country code, there are two forms, because numbers of Italy keep their 0. After the code of
 * Hungary, the trunk prefix is 06, and a third form is without the 6.
 */
export function searchedForms(text: string): readonly string[] {
  const number = text.replace(/\(0\)(?=[\s().-]*\d)/, '').replaceAll(/[^+\d]/g, '');
  if (!number.startsWith('+')) return [number.replace(dialedPrefix, '')];
  const [code, rest] = splitAtTrunkZero(number) ?? [];
  if (code === undefined || rest === undefined || rest.length < 4) return [number];
  const hungarian = code === '+36' && rest.startsWith('6') ? [`+36${rest.slice(1)}`] : [];
  return [number, `${code}${rest}`, ...hungarian];
}

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
    const parts = [text, ...text.split(/\s+/)].flatMap(searchedForms);
    const digits = parts.map((part) => part.replaceAll(/\D/g, ''));
    return digits.some(
      (one) => one.includes(number.slice(1)) || (one.length >= fewestDigits && number.endsWith(one)),
    );
  });
}
