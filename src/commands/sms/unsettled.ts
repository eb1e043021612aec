import type { JournalItem, RunSummary } from '../../features/bulk/index.ts';
import type { OutcomeJournal } from '../../features/outcome-journal/index.ts';
import type { NewTexts, TextPayload } from '../../features/outgoing/index.ts';
import type { Context } from '../../runtime/context.ts';

/** The outcome journal deletes known outcomes after this time; unknown ones stay. */
const retentionMilliseconds = 30 * 86_400_000;

/** Runs `work` with a function that looks up in the outcome journal whether the outcome of a text of a finished run is still unknown. */
export async function withUnsettled<T>(
  ctx: Pick<Context, 'paths' | 'now'>,
  work: (isUnsettled: NewTexts['isUnsettled']) => T,
): Promise<T> {
  const { OutcomeJournal, textDigest } = await import('../../features/outcome-journal/index.ts');
  let journal: OutcomeJournal | undefined;
  const isUnsettled = ({ payload, time }: JournalItem<TextPayload>, { started }: RunSummary): boolean => {
    journal ??= OutcomeJournal.open(ctx.paths.state);
    const now = ctx.now();
    const digest = textDigest(payload.from, [payload.to], payload.text);
    const own = journal
      .withDigest(digest, now)
      .filter(({ startedAt }) => startedAt >= started && startedAt <= (time ?? now));
    if (own.length === 0) return now - (time ?? started) < retentionMilliseconds;
    return own.some(({ state }) => state === 'unknown' || state === 'sending');
  };
  try {
    return work(isUnsettled);
  } finally {
    journal?.close();
  }
}
