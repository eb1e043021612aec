import { countUtf16Units } from '../../platform/utf16.ts';
import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { readTextFile } from '../bulk/index.ts';

/** Where a text comes from. */
export interface TextOptions {
  readonly text?: string | undefined;
  readonly file?: string | undefined;
}

/** The text from the argument, a file or standard input. The line break that ends a file is not part of the text. */
export async function readText(ctx: Context, { text, file }: TextOptions): Promise<string> {
  if (text !== undefined && file !== undefined) throw usageError('give the text or --file, not both');
  if (text !== undefined) return text;
  if (file === undefined)
    throw usageError('there is no text to send', 'give TEXT, or --file FILE, or --file -');
  return (await readTextFile(ctx, file)).replace(/\r?\n$/, '');
}

/** @param most UTF-16 code units. @throws {CommandError} for a text that the service would refuse. */
export function checkText(text: string, most: number): string {
  if (text.trim() === '') throw usageError('the text is empty', 'give TEXT, or --file FILE, or --file -');
  const units = countUtf16Units(text);
  if (units <= most) return text;
  throw usageError(
    `the text has ${units} UTF-16 code units; at most ${most} can be sent`,
    `shorten it by ${units - most}; an emoji counts 2 or more`,
  );
}

/** How much of its room a text takes, for the question before it goes out. */
export function sizeOfText(text: string, most: number): string {
  return `${countUtf16Units(text)} of ${most} UTF-16 units`;
}
