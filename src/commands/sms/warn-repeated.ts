import type { Outcome } from '../../features/outcome-journal/index.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import type { Context } from '../../runtime/context.ts';

/** A text that is about to be sent. */
interface Text {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
}

/**
 * Milliseconds in which the same text is probably a repetition by mistake, such as a command from the history of the
 * shell. Later, an equal text such as `OK` or an hourly alert is usual.
 */
const repetitionMilliseconds = 600_000;

/**
 * Warns before the confirmation if the same text was sent to the same numbers in the last minutes. A dry run sends
 * nothing.
 */
export async function warnOfRepeatedText(ctx: Context, { from, to, text }: Text): Promise<void> {
  if (ctx.dryRun) return;
  const { openSendJournal, textDigest } = await import('../../features/outcome-journal/index.ts');
  const { origin } = new URL(ctx.settings.baseUrl.value ?? 'http://localhost');
  const journal = await openSendJournal(ctx, 'read');
  try {
    const same = await journal.withDigest(origin, textDigest(from, to, text));
    const earlier = same.find((one) => isRepeatedBy(one, ctx.now()));
    if (!earlier) return;
    const { id, state } = earlier;
    const when = `sent to ${to.join(', ')} in the last 10 minutes`;
    ctx.out.warn(
      state === 'sent'
        ? `the same text was ${when}. To send a text once in 24 hours, use the same --dedupe-key each time.`
        : nextStep`the same text may have been ${when}. To look up the outcome: ${ucctl`outcome resolve ${id}`}`,
    );
  } finally {
    journal.close();
  }
}

function isRepeatedBy({ state, startedAt }: Outcome, now: number): boolean {
  const isMade = state !== 'failed' && state !== 'not-sent';
  return isMade && Math.abs(now - startedAt) < repetitionMilliseconds;
}
