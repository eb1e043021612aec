import { CommandError, Exit } from '../errors/command.ts';
import type { Context } from './context.ts';

/** Asks for confirmation before data of a store is deleted. @throws {CommandError} `not_confirmed` (exit 9). */
export async function askToDelete(ctx: Pick<Context, 'prompt'>, question: string): Promise<void> {
  if (await ctx.prompt.confirm(question)) return;
  throw new CommandError('not_confirmed', Exit.blocked, 'not confirmed; nothing was deleted');
}
