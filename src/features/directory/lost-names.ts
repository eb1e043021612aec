import type { Context } from '../../runtime/context.ts';
import type { Directory } from './directory.ts';
import { openDirectory } from './open.ts';

/**
 * What is wrong with the names of a list that is refused anyway, so that everything is told at once. Empty without a session or a
 * connection: the problems of the file itself are still worth telling.
 */
export async function lostNames<T>(
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
