import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { OutcomeUnknownError } from '../../errors/service.ts';
import { type Hint, nextStep } from '../../errors/hint.ts';

/** Asks before what spends, rings or interrupts. @throws {CommandError} `declined` or `confirmation_needed` (exit 9). */
export async function confirmSend(ctx: Context, question: string): Promise<void> {
  if (!ctx.dryRun && !(await ctx.prompt.confirm(question))) {
    throw new CommandError('declined', Exit.refused, 'not confirmed; nothing was sent');
  }
  if (ctx.signal.aborted) sayNothingSent(ctx);
  ctx.signal.throwIfAborted();
}

function sayNothingSent(ctx: Pick<Context, 'out'>): void {
  ctx.out.warn('interrupted; nothing was sent');
}

/**
 * Runs a request that must not be sent twice. Without the run's signal: Ctrl-C lets it finish, else nobody would know whether it went out.
 * @throws {CommandError} `outcome_unknown` (exit 14) saying what may have happened.
 */
export async function outcomeUnknown<T>(
  ctx: Pick<Context, 'out' | 'signal'>,
  what: string,
  check: Hint,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // Ctrl-C ends only what comes before: the wait for the rate limit.
    if (ctx.signal.aborted && error === ctx.signal.reason) sayNothingSent(ctx);
    if (!(error instanceof OutcomeUnknownError)) throw error;
    throw new CommandError('outcome_unknown', Exit.outcomeUnknown, `${error.why}: ${what} or not`, {
      hint: nextStep`find out before sending again: ${check}`,
      cause: error,
    });
  }
}
