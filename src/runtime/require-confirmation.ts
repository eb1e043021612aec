import { CommandError, Exit } from '../errors/command.ts';
import type { Context } from './context.ts';

/**
 * Asks for confirmation, unless this is a dry run. `otherwise` is the state after a no, such as `nothing was deleted`.
 * @throws {CommandError} `declined` or `confirmation_needed` (exit 9).
 */
export async function requireConfirmation(
  ctx: Pick<Context, 'dryRun' | 'prompt'>,
  question: string,
  otherwise: string,
): Promise<void> {
  if (ctx.dryRun || (await ctx.prompt.confirm(question))) return;
  throw new CommandError('declined', Exit.blocked, `not confirmed; ${otherwise}`);
}
