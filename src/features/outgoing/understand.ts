import { isE164 } from '../../platform/e164.ts';

/** A number as it goes out, and how it was typed. */
export interface UnderstoodNumber {
  /** E.164. */
  readonly number: string;
  readonly typed: string;
  /** `+16505550112 (US)`, or the number alone where it was typed so. */
  readonly shown: string;
}

/**
 * Reads a telephone number as people type it; `country` (two letters) is that of numbers without a country code.
 * @throws {RangeError} with a sentence for the user.
 */
export async function understandNumber(
  typed: string,
  country: string | undefined,
): Promise<UnderstoodNumber> {
  const text = typed.trim();
  // What is E.164 needs no library, and is never second-guessed.
  if (isE164(text)) return { number: text, typed, shown: text };
  const { isSupportedCountry, parsePhoneNumberFromString } = await import('libphonenumber-js/min');
  if (country !== undefined && !isSupportedCountry(country)) {
    throw new RangeError(`there is no country ${country}: ucctl config set default-country US`);
  }
  const options = {
    extract: false,
    ...(country !== undefined && { defaultCountry: country }),
  };
  const found = parsePhoneNumberFromString(text, options);
  if (!found) throw new RangeError(unreadable(typed, country));
  if (found.ext !== undefined) {
    throw new RangeError(
      `"${typed}" has an extension (${found.ext}), which cannot be dialled; give the number alone`,
    );
  }
  if (!found.isPossible() || !isE164(found.number)) {
    throw new RangeError(
      `"${typed}" is not an E.164 number: read as ${found.number}, it is not complete or too long`,
    );
  }
  return {
    number: found.number,
    typed,
    shown: `${found.number}${found.country ? ` (${found.country})` : ''}`,
  };
}

function unreadable(typed: string, country: string | undefined): string {
  const isNational = country === undefined && /^[\d\s().-]+$/.test(typed.trim());
  return isNational
    ? `"${typed}" is not an E.164 number and has no country code, and the profile has no country for it`
    : `"${typed}" is not an E.164 number, nor another way to write a telephone number`;
}
