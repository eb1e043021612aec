import type { parsePhoneNumberFromString, PhoneNumber } from 'libphonenumber-js/min';
import { digitsOfNumbers, isE164, readE164, withoutSeparators } from '../../platform/e164.ts';

/** A phone number in E.164 format, and as the user typed it. */
export interface UnderstoodNumber {
  /** The number in E.164 format. */
  readonly number: string;
  readonly typed: string;
  /** The number as shown, such as `+16505550112 (US)`; only the number if the user typed it as E.164. */
  readonly shown: string;
}

/** The kind of problem with a phone number, if the next step for the user depends on it. */
type NumberProblem =
  | 'needs-country'
  | 'unknown-country'
  | 'missing-plus'
  | 'plus-or-country'
  | 'wrong-length'
  | 'wrong-digits'
  | 'extension'
  | 'short-code';

/** The error for a phone number that cannot be read, with a message for the user. */
export class NumberError extends RangeError {
  override readonly name = 'NumberError';
  readonly problem: NumberProblem | undefined;

  constructor(message: string, problem?: NumberProblem) {
    super(message);
    this.problem = problem;
  }
}

/**
 * Parses a phone number in any common notation. `country` (two letters) applies to numbers without a country code.
 * @param force accepts a number that is too short or too long for its country (`--force-number`)
 * @throws {NumberError} with a message for the user.
 */
export async function understandNumber(
  typed: string,
  country: string | undefined,
  force = false,
): Promise<UnderstoodNumber> {
  const text = typed.trim();
  const plain = withoutSeparators(text);
  if (isE164(plain)) {
    const { number, lengthProblem } = await readE164(plain);
    if (lengthProblem !== undefined && !force)
      throw new NumberError(`"${text}" ${lengthProblem}`, 'wrong-length');
    return { number, typed, shown: plain === text ? number : await withCountry(number) };
  }
  const { isSupportedCountry, parsePhoneNumberFromString: parse } = await import('libphonenumber-js/min');
  if (country !== undefined && !isSupportedCountry(country)) {
    throw new NumberError(
      `the setting default-country, "${country}", is not a valid two-letter country code`,
      'unknown-country',
    );
  }
  const options = {
    extract: false,
    ...(country !== undefined && { defaultCountry: country }),
  };
  const found = parse(text, options);
  if (!found) throw unreadable(typed, country, parse);
  requireWithoutExtension(typed, found);
  requireCountryCode(typed, found);
  if (!found.isPossible() || !isE164(found.number)) {
    if (withPlus(text, parse) !== undefined) throw unreadable(typed, country, parse);
    if (!(force && hasOnlyWrongLength(typed, found))) throw incomplete(typed, found);
  }
  requireUnambiguous(typed, found, parse);
  const { number } = await readE164(found.number);
  return { number, typed, shown: await withCountry(number) };
}

function requireWithoutExtension(typed: string, { ext }: PhoneNumber): void {
  if (ext === undefined) return;
  throw new NumberError(
    `"${typed}" has an extension (${ext}), which ucctl cannot dial; specify only the number`,
  );
}

/** Returns a number with its country, such as `+16505550112 (US)`. */
async function withCountry(number: string): Promise<string> {
  const { parsePhoneNumberFromString: parse } = await import('libphonenumber-js/min');
  const country = parse(number)?.country;
  return country === undefined ? number : `${number} (${country})`;
}

/** Whether a text without a country code has at most six digits. */
function hasFewDigits(text: string): boolean {
  return (text.match(/\p{Nd}/gu) ?? []).length <= 6 && !/^[+＋]/.test(text);
}

/**
 * Rejects a text of at most six digits without a country code. It is more likely an extension number, a short code or a
 * part of a local number, but some countries also have phone numbers of this length.
 */
function requireCountryCode(typed: string, found: PhoneNumber): void {
  const text = typed.trim();
  const isShort = hasFewDigits(text);
  const isNumber = found.isPossible() && isE164(found.number);
  const meant = isNumber ? `; for the phone number ${found.number}, write the country code` : '';
  if (isShort && (isExtension(text) || isShortCode(text))) throw shortNumber(typed, meant);
  if (isShort && isNumber)
    throw new NumberError(`"${typed}" is too short for a phone number without its country code${meant}`);
}

/** Returns the phone number of the default country that the digits of a short code could be; undefined if there is none. */
export async function numberOfShortCode(
  text: string,
  country: string | undefined,
): Promise<string | undefined> {
  if (country === undefined) return undefined;
  const { isSupportedCountry, parsePhoneNumberFromString: parse } = await import('libphonenumber-js/min');
  const found = isSupportedCountry(country) ? parse(text, country) : undefined;
  return found?.isPossible() && isE164(found.number) ? found.number : undefined;
}

/** Returns the error for an extension number or a short code. `meant` names the phone number that it could be. */
function shortNumber(typed: string, meant = ''): NumberError {
  return isShortCode(typed)
    ? new NumberError(
        `"${typed}" is a short code or an extension, not a valid phone number${meant}`,
        'short-code',
      )
    : new NumberError(`"${typed}" is an extension, not a valid phone number${meant}`, 'extension');
}

/**
 * Rejects a text that may be a number in E.164 format whose + a spreadsheet removed: it has at least 11 digits, and no
 * national prefix, such as the 0 of German numbers. A spreadsheet removes that 0 as well, so only the user knows which one
 * is missing.
 */
function requireUnambiguous(
  typed: string,
  found: PhoneNumber,
  parse: typeof parsePhoneNumberFromString,
): void {
  const digits = typed.replaceAll(/\D/g, '');
  const isNational = found.formatNational().replaceAll(/\D/g, '') === digits;
  const other = withPlus(typed, parse);
  if (isNational || other === undefined || other === found.number) return;
  throw new NumberError(
    `"${typed}" is ambiguous: it is ${other} without the +, or ${found.number} without its national prefix`,
  );
}

/** Returns the valid number in E.164 format that a text without + may be; undefined for other texts. */
function withPlus(text: string, parse: typeof parsePhoneNumberFromString): string | undefined {
  const digits = text.replaceAll(/\D/g, '');
  if (text.trim().startsWith('+') || digits.length < 11) return undefined;
  const found = parse(`+${digits}`);
  return found?.isValid() ? found.number : undefined;
}

/** Whether a text that is not a phone number looks like an extension number. */
function isExtension(text: string): boolean {
  return /^\d{2,4}$/.test(text);
}

/**
 * Whether a text that is not a phone number looks like a short code, from which companies send texts. The text may also
 * be an extension number.
 */
export function isShortCode(text: string): boolean {
  return /^\d{5,6}$/.test(text.trim());
}

function incomplete(typed: string, found: PhoneNumber): NumberError {
  return (
    wrongDigits(typed) ??
    new NumberError(
      `"${typed}" is not a valid phone number: as ${found.number}, the number is incomplete or too long`,
      hasOnlyWrongLength(typed, found) ? 'wrong-length' : undefined,
    )
  );
}

/** Returns the error for a number with + whose number of digits no country uses; undefined for other texts. */
function wrongDigits(typed: string): NumberError | undefined {
  const { length } = /^\+(\d+)$/.exec(withoutSeparators(typed))?.[1] ?? '';
  if (length === 0 || (length >= digitsOfNumbers.least && length <= digitsOfNumbers.most)) return undefined;
  const problem = length < digitsOfNumbers.least ? 'short' : 'long';
  return new NumberError(`"${typed}" is not a valid phone number: it is too ${problem}`, 'wrong-digits');
}

/** Whether the length is the only problem of a number, so that `--force-number` accepts it. */
function hasOnlyWrongLength(typed: string, { number }: PhoneNumber): boolean {
  return isE164(number) && !hasFewDigits(typed.trim());
}

function unreadable(
  typed: string,
  country: string | undefined,
  parse: typeof parsePhoneNumberFromString,
): NumberError {
  const text = typed.trim();
  const digits = wrongDigits(typed);
  if (digits) return digits;
  if (isExtension(text) || isShortCode(text)) return shortNumber(typed);
  const hasOnlyDigits = /^[\d\s().-]+$/.test(text);
  const message = `"${typed}" is not a valid phone number`;
  const meant = hasOnlyDigits ? withPlus(text, parse) : undefined;
  if (meant !== undefined)
    return new NumberError(
      country === undefined
        ? `${message}: the + is missing (did you mean ${meant}?), or the country code, and the profile has no default country`
        : `${message} without the +: did you mean ${meant}?`,
      country === undefined ? 'plus-or-country' : 'missing-plus',
    );
  return hasOnlyDigits && country === undefined
    ? new NumberError(
        `${message}: the number has no country code, and the profile has no default country`,
        'needs-country',
      )
    : new NumberError(message);
}
