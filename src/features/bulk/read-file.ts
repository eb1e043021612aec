import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileTrouble } from '../../platform/file-trouble.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../runtime/errors.ts';
import { decodeList } from './encoding.ts';

/**
 * The text of a list: a file of the user's, or standard input for `-`.
 * @throws {CommandError} `unreadable_file` (exit 2) that says why, also for another encoding than UTF-8.
 */
export async function readListFile(ctx: Pick<Context, 'input' | 'cwd'>, file: string): Promise<string> {
  const isStdin = file === '-';
  try {
    return decodeList(isStdin ? await ctx.input.bytes() : await readFile(resolve(ctx.cwd, file)));
  } catch (cause) {
    const name = isStdin ? 'standard input' : file;
    throw new CommandError('unreadable_file', Exit.usage, `cannot read ${name}: ${fileTrouble(cause)}`, {
      ...(!isStdin && { hint: 'check the path, or give - for standard input' }),
      cause,
    });
  }
}
