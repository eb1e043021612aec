import { dayMilliseconds } from '../../platform/day.ts';
import type { JournalItem, RunSummary } from '../../features/bulk/index.ts';
import type { Outcome, OutcomeJournal } from '../../features/outcome-journal/index.ts';
import type { NewTexts, TextPayload } from '../../features/outgoing/index.ts';
import type { Context } from '../../runtime/context.ts';

/** The outcome journal deletes known outcomes after this time, but retains unknown outcomes. */
const retentionMilliseconds = 30 * dayMilliseconds;

/** Runs `work` with a function that looks up in the outcome journal whether the outcome of a text of a finished run is still unknown. */
export async function withUnsettled<T>(
  ctx: Pick<Context, 'paths' | 'now' | 'settings' | 'sleep' | 'store'>,
  work: (isUnsettled: NewTexts['isUnsettled']) => T,
): Promise<T> {
  const { textDigest } = await import('../../features/outcome-journal/index.ts');
  const lookup = await openLookup(ctx);
  const isUnsettled = ({ payload, time }: JournalItem<TextPayload>, { started }: RunSummary): boolean => {
    const now = ctx.now();
    const digest = textDigest(payload.from, [payload.to], payload.text);
    const isOfRun = ({ startedAt }: Outcome): boolean => startedAt >= started && startedAt <= (time ?? now);
    const single = lookup.withDigest(digest).filter(isOfRun);
    // All texts of a batch have the outcome of the batch.
    const own = single.length > 0 ? single : lookup.batches().filter(isOfRun);
    if (own.length === 0) return now - (time ?? started) < retentionMilliseconds;
    return own.some(({ state }) => state === 'unknown' || state === 'sending');
  };
  try {
    return work(isUnsettled);
  } finally {
    lookup.close();
  }
}

interface Lookup {
  withDigest(digest: string): readonly Outcome[];
  /** Returns the outcomes of batches of texts at this service. */
  batches(): readonly Outcome[];
  close(): void;
}

/** Finds outcomes by their content. The journal of a store is read once, because the lookup is synchronous. */
async function openLookup(
  ctx: Pick<Context, 'paths' | 'now' | 'settings' | 'sleep' | 'store'>,
): Promise<Lookup> {
  const { batchPrefix, openSendJournal, OutcomeJournal } =
    await import('../../features/outcome-journal/index.ts');
  const { origin } = new URL(ctx.settings.baseUrl.value ?? 'http://localhost');
  const isBatch = ({ digest }: Outcome): boolean => digest.startsWith(batchPrefix);
  if (ctx.settings.storeUrl.value === undefined) {
    let opened: OutcomeJournal | undefined;
    let batches: readonly Outcome[] | undefined;
    const journal = (): OutcomeJournal => (opened ??= OutcomeJournal.openToRead(ctx.paths.state));
    return {
      withDigest: (digest) => journal().withDigest(digest, ctx.now()),
      // Read once: all texts of a batch ask for them.
      batches: () => (batches ??= journal().listAll(origin, ctx.now()).filter(isBatch)),
      close: () => opened?.close(),
    };
  }
  const journal = await openSendJournal(ctx);
  const all = await journal.listAll(origin);
  return {
    withDigest: (digest) => all.filter((outcome) => outcome.digest === digest),
    batches: () => all.filter(isBatch),
    close: () => journal.close(),
  };
}
