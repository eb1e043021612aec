import type { JournalItem, RunSummary } from '../../features/bulk/index.ts';
import type { Outcome, OutcomeJournal } from '../../features/outcome-journal/index.ts';
import type { NewTexts, TextPayload } from '../../features/outgoing/index.ts';
import type { Context } from '../../runtime/context.ts';

/** The outcome journal deletes known outcomes after this time; unknown ones stay. */
const retentionMilliseconds = 30 * 86_400_000;

/** Runs `work` with a function that looks up in the outcome journal whether the outcome of a text of a finished run is still unknown. */
export async function withUnsettled<T>(
  ctx: Pick<Context, 'paths' | 'now' | 'settings' | 'store'>,
  work: (isUnsettled: NewTexts['isUnsettled']) => T,
): Promise<T> {
  const { textDigest } = await import('../../features/outcome-journal/index.ts');
  const lookup = await openLookup(ctx);
  const isUnsettled = ({ payload, time }: JournalItem<TextPayload>, { started }: RunSummary): boolean => {
    const now = ctx.now();
    const digest = textDigest(payload.from, [payload.to], payload.text);
    const own = lookup
      .withDigest(digest)
      .filter(({ startedAt }) => startedAt >= started && startedAt <= (time ?? now));
    if (own.length === 0) return now - (time ?? started) < retentionMilliseconds;
    return own.some(({ state }) => state === 'unknown' || state === 'sending');
  };
  try {
    return work(isUnsettled);
  } finally {
    lookup.close();
  }
}

/** Finds outcomes by their content. The journal of a store is read once, because the lookup is synchronous. */
async function openLookup(
  ctx: Pick<Context, 'paths' | 'now' | 'settings' | 'store'>,
): Promise<{ withDigest(digest: string): readonly Outcome[]; close(): void }> {
  const { openSendJournal, OutcomeJournal } = await import('../../features/outcome-journal/index.ts');
  if (ctx.settings.storeUrl?.value === undefined) {
    let journal: OutcomeJournal | undefined;
    return {
      withDigest: (digest) =>
        (journal ??= OutcomeJournal.open(ctx.paths.state)).withDigest(digest, ctx.now()),
      close: () => journal?.close(),
    };
  }
  const journal = await openSendJournal(ctx);
  const { origin } = new URL(ctx.settings.baseUrl.value ?? 'http://localhost');
  const all = await journal.listAll(origin);
  return {
    withDigest: (digest) => all.filter((outcome) => outcome.digest === digest),
    close: () => journal.close(),
  };
}
