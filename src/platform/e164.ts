import type { parsePhoneNumberFromString, PhoneNumber } from 'libphonenumber-js/min';
import { lookupTable } from './lookup-table.ts';

/** Number of digits of a phone number, with its country code. */
export const digitsOfNumbers = { least: 7, most: 15 } as const;

/** Whether the text is a phone number in ITU E.164 format: `+`, a country code, at most 15 digits. */
export function isE164(text: string): boolean {
  return /^\+[1-9]\d{6,14}$/.test(text);
}

/** Removes the spaces and the punctuation of a phone number, as in `+1 (650) 555-0112`. */
export function withoutSeparators(text: string): string {
  return text.replaceAll(/[\s().-]/g, '');
}

/** Matches a country code (E.164), a trunk 0, and the beginning of a number. */
const trunkAfterCode =
  /^(\+(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|(?:2[1-689]|3[578]|42|5[09]|6[789]|8[05789]|9[679])\d))0+(\d*)$/;

/**
 * Splits the beginning of a number in E.164 format at a 0 after the country code, which is not part of the result. The 0
 * may be a trunk prefix, but numbers of Italy and some other countries keep it. Undefined if there is no such 0.
 */
export function splitAtTrunkZero(beginning: string): readonly [code: string, rest: string] | undefined {
  const [, code, rest] = trunkAfterCode.exec(beginning) ?? [];
  return code === undefined || rest === undefined ? undefined : [code, rest];
}

/** A number in E.164 format, and the problem with its length. */
export interface E164Number {
  /** The number without the trunk prefix, such as the 0 in `+4402079460958`. */
  readonly number: string;
  /** Words such as `is too long for a phone number of its country`; undefined if numbers of the country can have this length. */
  readonly lengthProblem?: string | undefined;
}

const lengthProblems: Readonly<Record<string, string>> = lookupTable({
  TOO_SHORT: 'is too short for a phone number of its country',
  TOO_LONG: 'is too long for a phone number of its country',
  INVALID_LENGTH: 'does not have a valid length for a phone number of its country',
});

/**
 * Removes the trunk prefix after the country code of a number in E.164 format, and checks the length. A number in an
 * unknown country is unchanged and has no problem.
 */
export async function readE164(text: string): Promise<E164Number> {
  // Ten digits after +1 never have a trunk prefix, so they do not need the library.
  if (/^\+1\d{10}$/.test(text)) return { number: text };
  const { parsePhoneNumberFromString: parse, validatePhoneNumberLength } =
    await import('libphonenumber-js/min');
  const found = withoutTrunkPrefixes(text, parse);
  if (found?.isPossible() && isE164(found.number)) return { number: found.number };
  return { number: text, lengthProblem: lengthProblems[validatePhoneNumberLength(text) ?? ''] };
}

/**
 * Removes the trunk prefix of a number in a setting, a file or a request, and checks its length. The spelling of any
 * other text is unchanged, because only the service can read it.
 */
export async function readWrittenNumber(text: string): Promise<E164Number> {
  const plain = withoutSeparators(text);
  if (!isE164(plain)) return { number: text };
  const read = await readE164(plain);
  return read.number === plain ? { ...read, number: text } : read;
}

/** Parses a number until no trunk prefix is left. The library removes one at a time. */
function withoutTrunkPrefixes(
  text: string,
  parse: typeof parsePhoneNumberFromString,
): PhoneNumber | undefined {
  const found = parse(text);
  return found === undefined || found.number === text ? found : withoutTrunkPrefixes(found.number, parse);
}
