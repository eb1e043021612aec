import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileTrouble } from '../../platform/file-trouble.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { decodeList } from './encoding.ts';

/**
 * A text file of the user's, or standard input for `-`.
 * @throws {CommandError} `unreadable_file` (exit 2) that says why.
 */
export async function readTextFile(ctx: Pick<Context, 'input' | 'cwd'>, file: string): Promise<string> {
  return file === '-' ? ctx.input.text() : (await readBinaryFile(ctx, file)).toString('utf8');
}

/** A file of the user's as it is. @throws {CommandError} `unreadable_file` (exit 2) that says why. */
export async function readBinaryFile(ctx: Pick<Context, 'cwd'>, file: string): Promise<Buffer> {
  try {
    return await readFile(resolve(ctx.cwd, file));
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/**
 * The text of a list: a file of the user's, or standard input for `-`.
 * @throws {CommandError} `unreadable_file` (exit 2) that says why, also for another encoding than UTF-8.
 */
export async function readListFile(ctx: Pick<Context, 'input' | 'cwd'>, file: string): Promise<string> {
  try {
    return decodeList(file === '-' ? await ctx.input.bytes() : await readFile(resolve(ctx.cwd, file)));
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

function unreadable(file: string, cause: unknown): CommandError {
  const isStdin = file === '-';
  const name = isStdin ? 'standard input' : file;
  return new CommandError('unreadable_file', Exit.usage, `cannot read ${name}: ${fileTrouble(cause)}`, {
    ...(!isStdin && { hint: 'check the path, or give - for standard input' }),
    cause,
  });
}
