import { isShortCode, readNumber, readShortCode } from '../../features/outgoing/index.ts';
import { type CommandText, nextStep, ucctl } from '../../errors/hint.ts';
import type { Context } from '../../runtime/context.ts';

/**
 * Reads --phone: a number in any common notation, as E.164, or a short code as it is.
 * @throws {CommandError} `usage` if the number is invalid.
 */
export async function readCaller(
  ctx: Context,
  typed: string | undefined,
  command: CommandText,
): Promise<string | undefined> {
  if (typed === undefined) return undefined;
  if (isShortCode(typed)) return readShortCode(ctx, typed);
  const forExtension = (extension: string) =>
    nextStep`to list the calls of an extension: ${ucctl`${command} --extension-number ${extension}`}`;
  return (await readNumber(ctx, '--phone', typed, { force: true, forExtension })).number;
}
