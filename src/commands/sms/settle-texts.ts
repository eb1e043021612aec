import type { Client } from '../../client/index.ts';
import { smsBatchTexts } from '../../contract/limits.ts';
import { describeCall, openSendJournal, type Outcome } from '../../features/outcome-journal/index.ts';
import { serviceOf, type Journal, type JournalItem, type JournalledRun } from '../../features/bulk/index.ts';
import {
  batchOf,
  bodyOf,
  keyOf,
  type TextPayload,
  type TextRunDetail,
} from '../../features/outgoing/index.ts';
import { smsBatchesPath, smsPath } from '../../platform/sending-paths.ts';
import type { Context } from '../../runtime/context.ts';
import { stateOf } from './text-outcomes.ts';

/** Milliseconds by which the clocks of a store and of this machine may differ. */
const skewMilliseconds = 60_000;

type TextItem = JournalItem<TextPayload>;

/**
 * Settles the texts of a run whose outcome is unknown, by the journal of sends: `outcome resolve` may have found the outcome
 * since, and a killed process may have recorded it there, but not in the run. A request that is not in the journal was not
 * sent, unless the journal was replaced. It is added as unknown, so that `outcome resolve` can look it up.
 */
export async function settleTexts(
  ctx: Pick<Context, 'settings' | 'paths' | 'now' | 'sleep' | 'store' | 'dryRun' | 'signal'>,
  api: Pick<Client, 'smsBatches'>,
  journal: Journal,
  run: Omit<JournalledRun<TextPayload>, 'items'>,
): Promise<void> {
  const { dedupeKey, highVolume = false, sender: who } = run.detail as TextRunDetail;
  const open = journal
    .items<TextPayload>(run.id)
    .filter(({ status }) => status === 'sent' || status === 'unknown');
  if (open.length === 0) return;
  const sends = await openSendJournal(ctx);
  try {
    const { origin } = new URL(serviceOf(ctx));
    const sameAs = byContent(
      (await sends.listAll(origin)).filter(({ startedAt }) => startedAt >= run.started - skewMilliseconds),
    );
    const notSent: number[] = [];
    const requests = highVolume ? batchesOf(open) : open.map((item): Request => [item]);
    for (const items of requests) {
      const [{ payload, time }] = items;
      const call = describeCall({ method: 'POST', ...requestOf(items, highVolume) });
      const own = sameAs(call).filter((outcome) => mayBeOf(outcome, items[0]));
      const state = stateOf(own);
      if (state === 'sent') {
        const ids = own.map(({ id }) => id).join(', ');
        const sent = highVolume ? await acceptedTexts(ctx, api, items, own) : items;
        const message = `sent according to outcome ${ids}`;
        journal.mark(run.id, seqsOf(sent), 'ok', { message, resultId: messageIdOf(own, highVolume) });
      } else if (state === 'not-sent') notSent.push(...seqsOf(items));
      else if (state === undefined && !ctx.dryRun) {
        const sender = { profile: ctx.settings.profile.value, origin, who };
        const key = keyOf(dedupeKey, payload, run.started).dedupeKey;
        if (call) await sends.addUnknown({ sender, call, dedupeKey: key, startedAt: time ?? run.started });
      }
    }
    if (notSent.length > 0) journal.reopen(run.id, notSent);
  } finally {
    sends.close();
  }
}

/** Returns a function that looks up the outcomes with the content of a request: a run can have tens of thousands of texts. */
function byContent(
  outcomes: readonly Outcome[],
): (call: Pick<Outcome, 'digest'> | undefined) => readonly Outcome[] {
  const found = new Map<string, Outcome[]>();
  for (const outcome of outcomes) {
    const same = found.get(outcome.digest);
    if (same) same.push(outcome);
    else found.set(outcome.digest, [outcome]);
  }
  return (call) => found.get(call?.digest ?? '') ?? [];
}

/**
 * Whether a request may be the one that sent a text. A request that began after the outcome of the text was recorded as
 * unknown sent the same text again, for example alone. The end of a killed process is unknown.
 */
function mayBeOf({ startedAt }: Outcome, { status, time }: TextItem): boolean {
  return status !== 'unknown' || time === undefined || startedAt <= time + skewMilliseconds;
}

type Request = readonly [TextItem, ...TextItem[]];

/** Returns the texts of each batch. All texts of a batch were marked at the same time, in the order of the run. */
function batchesOf(items: readonly TextItem[]): readonly Request[] {
  const batches: [TextItem, ...TextItem[]][] = [];
  for (const item of items) {
    const last = batches.at(-1);
    const isOfLast =
      last?.[0].time === item.time &&
      last?.[0].payload.from === item.payload.from &&
      last.length < smsBatchTexts;
    if (isOfLast) last.push(item);
    else batches.push([item]);
  }
  return batches;
}

function requestOf(
  items: Request,
  highVolume: boolean,
): { readonly path: string; readonly body: ReturnType<typeof batchOf | typeof bodyOf> } {
  return highVolume
    ? { path: smsBatchesPath, body: batchOf(items.map(({ payload }) => payload)) }
    : { path: smsPath, body: bodyOf(items[0].payload) };
}

/**
 * Returns the texts of a batch that the service accepted: those that it lists (TEXTBATCH-3, TEXTBATCH-6). Without the ID of the
 * batch, the user stated that it was sent.
 */
async function acceptedTexts(
  { signal }: Pick<Context, 'signal'>,
  { smsBatches }: Pick<Client, 'smsBatches'>,
  items: readonly TextItem[],
  own: readonly Outcome[],
): Promise<readonly TextItem[]> {
  const listed = new Set<string>();
  for (const batchId of own.flatMap(({ serviceId }) => serviceId ?? [])) {
    for await (const { to = [], text = '' } of smsBatches.messages({ batchId, view: 'Detailed' }, { signal }))
      for (const number of to) listed.add(JSON.stringify([number, text]));
  }
  const isStated = own.some(({ state, serviceId }) => state === 'sent' && serviceId === undefined);
  return isStated
    ? items
    : items.filter(({ payload: { to, text } }) => listed.has(JSON.stringify([to, text])));
}

/** Returns the ID of a text according to its outcome. The outcome of a batch has the ID of the batch. */
function messageIdOf(own: readonly Outcome[], highVolume: boolean): string | undefined {
  return highVolume ? undefined : own.find(({ state }) => state === 'sent')?.serviceId;
}

function seqsOf(items: readonly TextItem[]): readonly number[] {
  return items.map(({ seq }) => seq);
}
