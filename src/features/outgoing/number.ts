import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';
import { digitsOfNumbers } from '../../platform/e164.ts';
import {
  isShortCode,
  NumberError,
  numberOfShortCode,
  understandNumber,
  type UnderstoodNumber,
} from './understand.ts';

/** The options for reading the number of a flag. */
export interface NumberOptions {
  /** Whether to accept a number that is too short or too long for its country. */
  readonly force?: boolean | undefined;
  /** Whether the command has --force-number, which the error about the length names. */
  readonly canForce?: boolean | undefined;
  /** The next step for the user if the number is an extension. */
  readonly forExtension?: ((extension: string) => Hint) | undefined;
}

/**
 * Reads the phone number of a flag. A number without a country code is in the country of the profile.
 * @throws {CommandError} `usage` if the number is invalid.
 */
export async function readNumber(
  ctx: Context,
  flag: string,
  typed: string,
  options: NumberOptions = {},
): Promise<UnderstoodNumber> {
  try {
    return await understandNumber(typed, ctx.settings.defaultCountry.value, options.force);
  } catch (error) {
    if (!(error instanceof NumberError)) throw error;
    throw usageError(`${flag}: ${error.message}`, nextStepFor(error, typed, options));
  }
}

function nextStepFor(
  { problem }: NumberError,
  typed: string,
  { canForce, forExtension }: NumberOptions,
): Hint {
  const form = 'write the number with + and the country code, as in +15551234567';
  switch (problem) {
    case 'needs-country':
    case 'plus-or-country':
      return nextStep`${form}, or set the country: ${ucctl('config set default-country US')}`;
    case 'unknown-country':
      return nextStep`set another country: ${ucctl('config set default-country US')}`;
    case 'wrong-length':
      return canForce
        ? 'nothing was sent; fix the number, or use --force-number to use the number anyway'
        : form;
    case 'wrong-digits': {
      const { least, most } = digitsOfNumbers;
      return `check the number: with its country code, a phone number has ${least} to ${most} digits`;
    }
    case 'extension':
    case 'short-code':
      return forExtension?.(typed.trim()) ?? form;
    case 'missing-plus':
    case undefined:
    default:
      return form;
  }
}

/**
 * Reads the number of a person or company that sent or received texts. Unlike the number of a recipient, it may be too
 * short or too long for its country, or a short code.
 * @throws {CommandError} `usage` if the number is invalid.
 */
export async function readCorrespondent(
  ctx: Context,
  flag: string,
  typed: string,
  options: Pick<NumberOptions, 'forExtension'> = {},
): Promise<string> {
  if (!isShortCode(typed)) return (await readNumber(ctx, flag, typed, { ...options, force: true })).number;
  ctx.out.note(
    nextStep`ucctl treats ${typed.trim()} as a short code, not as an extension number. To list pager messages: ${ucctl('message list --type Pager')}`,
  );
  return readShortCode(ctx, typed);
}

/** Returns a short code without spaces, and names the phone number that its digits could be. */
export async function readShortCode(ctx: Context, typed: string): Promise<string> {
  const code = typed.trim();
  const meant = await numberOfShortCode(code, ctx.settings.defaultCountry.value);
  if (meant !== undefined)
    ctx.out.note(`${code} counts as a short code. For the phone number ${meant}, write the country code.`);
  return code;
}

/** Reads the numbers of `--to` and removes duplicates. */
export async function readNumbers(
  ctx: Context,
  typed: readonly string[],
  options: NumberOptions = {},
): Promise<readonly UnderstoodNumber[]> {
  const all: UnderstoodNumber[] = [];
  for (const one of typed) {
    const found = await readNumber(ctx, '--to', one, options);
    if (!all.some(({ number }) => number === found.number)) all.push(found);
  }
  return all;
}
