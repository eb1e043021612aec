import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { SMS_TEXT_UNITS } from '../../contract/limits.ts';
import { isE164 } from '../../platform/e164.ts';
import { countUtf16Units } from '../../platform/utf16.ts';
import type { Context } from '../../runtime/context.ts';
import { fileTrouble } from '../../platform/file-trouble.ts';
import { CommandError, Exit, usageError } from '../../runtime/errors.ts';
import type { SmsSendOptions } from './send.ts';

/** The text from the argument, a file or standard input. The line break that ends a file is not part of the text. */
export async function readText(ctx: Context, options: SmsSendOptions): Promise<string> {
  const { text, file } = options;
  if (text !== undefined && file !== undefined) throw usageError('give the text or --file, not both');
  if (text !== undefined) return text;
  if (file === undefined)
    throw usageError('there is no text to send', 'give TEXT, or --file FILE, or --file -');
  return (await readWhole(ctx, file)).replace(/\r?\n$/, '');
}

async function readWhole(ctx: Context, file: string): Promise<string> {
  if (file === '-') return ctx.input.text();
  try {
    return await readFile(resolve(ctx.cwd, file), 'utf8');
  } catch (cause) {
    throw new CommandError('unreadable_file', Exit.usage, `cannot read ${file}: ${fileTrouble(cause)}`, {
      hint: 'check the path, or give - for standard input',
      cause,
    });
  }
}

/** @throws {CommandError} for a text that the service would refuse. */
export function checkText(text: string): string {
  if (text.trim() === '') throw usageError('the text is empty', 'give TEXT, or --file FILE, or --file -');
  const units = countUtf16Units(text);
  if (units <= SMS_TEXT_UNITS) return text;
  throw usageError(
    `the text has ${units} UTF-16 code units; at most ${SMS_TEXT_UNITS} can be sent`,
    `shorten it by ${units - SMS_TEXT_UNITS}; an emoji counts 2 or more`,
  );
}

/** @throws {CommandError} when the number is not written as the service wants it. */
export function checkNumber(flag: string, number: string): void {
  if (isE164(number)) return;
  throw usageError(
    `${flag}: "${number}" is not an E.164 number`,
    'write it with + and country code, without spaces: +15551234567',
  );
}
