import { dayMilliseconds } from '../../platform/day.ts';
import type { Outcome, OutcomeJournal } from '../../features/outcome-journal/index.ts';
import type { NewTexts, TextOutcome } from '../../features/outgoing/index.ts';
import type { Context } from '../../runtime/context.ts';

/** The outcome journal deletes known outcomes after this time, but retains unknown outcomes. */
const retentionMilliseconds = 30 * dayMilliseconds;

/** Runs `work` with a function that looks up the outcome of a text of a finished run in the outcome journal. */
export async function withOutcomes<T>(
  ctx: Pick<Context, 'paths' | 'now' | 'settings' | 'sleep' | 'store'>,
  work: (outcomeOf: NewTexts['outcomeOf']) => T,
): Promise<T> {
  const { textDigest } = await import('../../features/outcome-journal/index.ts');
  const lookup = await openLookup(ctx);
  const outcomeOf: NewTexts['outcomeOf'] = ({ payload, time }, { started }) => {
    const now = ctx.now();
    const digest = textDigest(payload.from, [payload.to], payload.text);
    const isOfRun = ({ startedAt }: Outcome): boolean => startedAt >= started && startedAt <= (time ?? now);
    const single = lookup.withDigest(digest).filter(isOfRun);
    // All texts of a batch have the outcome of the batch.
    const own = single.length > 0 ? single : lookup.batches().filter(isOfRun);
    return stateOf(own) ?? (now - (time ?? started) < retentionMilliseconds ? 'unknown' : undefined);
  };
  try {
    return work(outcomeOf);
  } finally {
    lookup.close();
  }
}

/** Returns the common outcome of the requests with the same content; undefined if there are none. */
export function stateOf(own: readonly Outcome[]): TextOutcome | undefined {
  if (own.length === 0) return undefined;
  if (own.some(({ state }) => state === 'unknown' || state === 'sending')) return 'unknown';
  return own.some(({ state }) => state === 'sent') ? 'sent' : 'not-sent';
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
  const byDigest = new Map<string, Outcome[]>();
  for (const outcome of all) {
    const same = byDigest.get(outcome.digest);
    if (same) same.push(outcome);
    else byDigest.set(outcome.digest, [outcome]);
  }
  return {
    withDigest: (digest) => byDigest.get(digest) ?? [],
    batches: () => all.filter(isBatch),
    close: () => journal.close(),
  };
}
