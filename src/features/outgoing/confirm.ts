import type { Context } from '../../runtime/context.ts';
import { requireConfirmation } from '../../runtime/require-confirmation.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { OutcomeUnknownError } from '../../errors/service.ts';
import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';

/**
 * Asks for confirmation before a message, a call, or a deletion of messages.
 * @throws {CommandError} `declined` or `confirmation_needed` (exit 9).
 */
export async function confirmRequest(
  ctx: Context,
  question: string,
  otherwise = 'nothing was sent',
): Promise<void> {
  await requireConfirmation(ctx, question, otherwise);
  if (ctx.signal.aborted) ctx.out.warn(`interrupted; ${otherwise}`);
  ctx.signal.throwIfAborted();
}

/** Returns the command that searches for a message whose outcome is unknown. */
export function searchOf(outcome: number | undefined): Hint {
  return outcome === undefined ? ucctl('outcome resolve --all') : ucctl`outcome resolve ${outcome}`;
}

/**
 * Runs a request that must not be sent twice. The request does not get the signal of the run, because after Ctrl-C its
 * outcome would be unknown.
 * @throws {CommandError} `outcome_unknown` (exit 14) with the possible result and a command that checks it.
 */
export async function outcomeUnknown<T>(
  ctx: Pick<Context, 'out' | 'signal'>,
  what: string,
  check: Hint | ((outcome: number | undefined) => Hint),
  work: () => Promise<T>,
  otherwise = 'nothing was sent',
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // Ctrl-C ends only the wait for the rate limit, before the request is sent.
    if (ctx.signal.aborted && error === ctx.signal.reason) ctx.out.warn(`interrupted; ${otherwise}`);
    if (!(error instanceof OutcomeUnknownError)) throw error;
    const { outcome } = error;
    const next = typeof check === 'function' ? check(outcome) : check;
    throw new CommandError('outcome_unknown', Exit.outcomeUnknown, `${error.why}: ${what}`, {
      hint: nextStep`before you run the command again, check: ${next}`,
      outcome,
      cause: error,
    });
  }
}
