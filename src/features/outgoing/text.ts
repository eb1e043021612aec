import { withLineFeeds } from '../../platform/line-feeds.ts';
import { countUtf16Units } from '../../platform/utf16.ts';
import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { readTextFile } from '../bulk/index.ts';

/** Options that provide the text as an argument or in a file. */
export interface TextOptions {
  readonly text?: string | undefined;
  readonly file?: string | undefined;
}

/**
 * Reads the text from the argument, a file or standard input. The argument or file `-` means standard input. Line breaks become line feeds, as in texts of lists, and
 * the final one of a file is removed.
 */
export async function readText(ctx: Context, { text, file }: TextOptions): Promise<string> {
  if (text !== undefined && file !== undefined)
    throw usageError('TEXT and --file cannot be used together', 'remove one of them');
  const source = text === '-' ? text : file;
  if (source !== undefined) return withLineFeeds(await readTextFile(ctx, source)).replace(/\n$/, '');
  if (text === undefined)
    throw usageError('the text is missing', 'specify TEXT, or use --file FILE or --file -');
  return withLineFeeds(text);
}

/**
 * Returns a text whose length the service accepts.
 * @param most maximum length in UTF-16 code units.
 * @throws {CommandError} `usage` for a text that is empty or too long.
 */
export function checkText(text: string, most: number): string {
  if (text.trim() === '')
    throw usageError('the text is empty', 'specify TEXT, or use --file FILE or --file -');
  const units = countUtf16Units(text);
  if (units <= most) return text;
  throw usageError(
    `the text has ${units} UTF-16 code units, but the maximum is ${most}`,
    `shorten the text by ${units - most}; an emoji counts as 2 or more`,
  );
}

/** Returns the length and limit of a text, for the summary before the confirmation. */
export function sizeOfText(text: string, most: number): string {
  return `${countUtf16Units(text)} of ${most} UTF-16 units`;
}
