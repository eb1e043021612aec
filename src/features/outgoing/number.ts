import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { understandNumber, type UnderstoodNumber } from './understand.ts';

/** The number of a flag, as typed, in the profile's country. @throws {CommandError} `usage` saying what is wrong with it. */
export async function readNumber(ctx: Context, flag: string, typed: string): Promise<UnderstoodNumber> {
  try {
    return await understandNumber(typed, ctx.settings.defaultCountry.value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw usageError(
      `${flag}: ${error.message}`,
      nextStep`write it with + and country code, as in +15551234567, or set the country: ${ucctl('config set default-country US')}`,
    );
  }
}

/** As `readNumber`, for several; each once. */
export async function readNumbers(
  ctx: Context,
  flag: string,
  typed: readonly string[],
): Promise<readonly UnderstoodNumber[]> {
  const all: UnderstoodNumber[] = [];
  for (const one of typed) {
    const found = await readNumber(ctx, flag, one);
    if (!all.some(({ number }) => number === found.number)) all.push(found);
  }
  return all;
}
