import { describeCall, openSendJournal, type Outcome } from '../../features/outcome-journal/index.ts';
import { serviceOf, type Journal, type JournalledRun } from '../../features/bulk/index.ts';
import { bodyOf, keyOf, type TextPayload, type TextRunDetail } from '../../features/outgoing/index.ts';
import { smsPath } from '../../platform/sending-paths.ts';
import type { Context } from '../../runtime/context.ts';

/** Milliseconds by which the clocks of a store and of this machine may differ. */
const skewMilliseconds = 60_000;

/**
 * Settles the texts of a run whose outcome is unknown, by the journal of sends: `outcome resolve` may have found the outcome
 * since, and a killed process may have recorded it there, but not in the run. A text that is not in the journal was not
 * sent, unless the journal was replaced. It is added as unknown, so that `outcome resolve` can look it up.
 * Does nothing for texts that were sent in batches, because a batch has one outcome.
 */
export async function settleTexts(
  ctx: Pick<Context, 'settings' | 'paths' | 'now' | 'store' | 'dryRun'>,
  journal: Journal,
  run: Omit<JournalledRun<TextPayload>, 'items'>,
): Promise<void> {
  const { dedupeKey, highVolume = false, sender: who } = run.detail as TextRunDetail;
  const open = journal
    .items<TextPayload>(run.id)
    .filter(({ status }) => status === 'sent' || status === 'unknown');
  if (highVolume || open.length === 0) return;
  const sends = await openSendJournal(ctx);
  try {
    const { origin } = new URL(serviceOf(ctx));
    const all = (await sends.listAll(origin)).filter(
      ({ startedAt }) => startedAt >= run.started - skewMilliseconds,
    );
    const notSent: number[] = [];
    for (const item of open) {
      const call = describeCall({ method: 'POST', path: smsPath, body: bodyOf(item.payload) });
      const own = all.filter(({ digest }) => digest === call?.digest);
      const state = stateOf(own);
      if (state === 'sent') {
        const ids = own.map(({ id }) => id).join(', ');
        journal.mark(run.id, [item.seq], 'ok', { message: `sent according to outcome ${ids}` });
      } else if (state === 'not-sent') notSent.push(item.seq);
      else if (state === undefined && !ctx.dryRun) {
        const sender = { profile: ctx.settings.profile.value, origin, who };
        const startedAt = item.time ?? run.started;
        const key = keyOf(dedupeKey, item.payload, run.started).dedupeKey;
        if (call) await sends.addUnknown({ sender, call, dedupeKey: key, startedAt });
      }
    }
    if (notSent.length > 0) journal.reopen(run.id, notSent);
  } finally {
    sends.close();
  }
}

/** Returns the common state of the requests with one text; undefined if there are none. */
function stateOf(own: readonly Outcome[]): 'unknown' | 'sent' | 'not-sent' | undefined {
  if (own.length === 0) return undefined;
  if (own.some(({ state }) => state === 'unknown' || state === 'sending')) return 'unknown';
  return own.some(({ state }) => state === 'sent') ? 'sent' : 'not-sent';
}
