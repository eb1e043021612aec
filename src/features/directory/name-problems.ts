import type { Context } from '../../runtime/context.ts';
import type { Directory } from './directory.ts';
import { openDirectory } from './open.ts';

/**
 * Looks up the names of a list that has other problems, so that one error reports all of them. Returns nothing without
 * a session or a connection; the error then contains only the problems of the file.
 */
export async function findNameProblems<T>(
  ctx: Context,
  find: (directory: Directory) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  try {
    return await find(openDirectory(await ctx.api(), ctx.signal));
  } catch {
    ctx.signal.throwIfAborted();
    return [];
  }
}
