import type { Client, ReplyFacts } from '../../client/index.ts';
import type { SmsBatch } from '../../contract/sms-batch.ts';
import { nextStep, ucctl, type Hint } from '../../errors/hint.ts';
import { batchDigest, batchPrefix } from './describe-call.ts';
import { resolveByHand } from './by-hand.ts';
import type { Outcome } from './outcome.ts';
import { skewOf } from './lookup.ts';
import type { Resolution, ResolveOptions } from './resolution.ts';
import { exceededLimit, underWay } from './under-way.ts';

/** Milliseconds around a request within which another batch with the same texts makes its outcome uncertain. */
const doubtfulMilliseconds = 15 * 60_000;

/** A batch of the service with the digest of its texts. */
interface FoundBatch {
  readonly batch: SmsBatch;
  readonly digest: string;
}

/**
 * The batches of the service, and by how many milliseconds its clock is ahead of this machine, if it reports its time.
 */
interface FoundBatches {
  readonly batches: readonly FoundBatch[];
  readonly skew: number | undefined;
}

/**
 * Resolves outcomes of batches of texts by reading the batches since the earliest outcome and their texts (TEXTBATCH-5,
 * TEXTBATCH-6). `sent` needs exactly one batch with the same texts, created while the request was under way, and a user
 * whose texts no other machine sends. Otherwise the outcome stays unknown: no published fact says how soon a batch is
 * listed, so its absence proves nothing.
 */
export async function resolveBatches(
  options: Pick<ResolveOptions, 'api' | 'all' | 'isSoleSender' | 'signal'>,
  outcomes: readonly Outcome[],
): Promise<readonly Resolution[]> {
  if (outcomes.length === 0) return [];
  const since = Math.min(...outcomes.map(({ startedAt }) => startedAt)) - doubtfulMilliseconds;
  const { batches, skew } = await readBatches(options, since);
  const ofBatches = options.all.filter(({ digest }) => digest.startsWith(batchPrefix));
  const claimed = new Set(ofBatches.flatMap(({ serviceId }) => serviceId ?? []));
  return outcomes.map((outcome) => {
    const same = batches.filter(
      ({ batch, digest }) =>
        digest === outcome.digest && !claimed.has(batch.id) && isNear(outcome, batch, skew ?? 0),
    );
    const [only, second] = same;
    const isOne = only !== undefined && second === undefined;
    const isOwn =
      options.isSoleSender &&
      isOne &&
      skew !== undefined &&
      isUnderWay(outcome, only.batch, skew) &&
      !ofBatches.some((other) => isRival(other, outcome) && isUnderWay(other, only.batch, skew));
    if (isOwn) return { outcome, result: 'sent', serviceId: only.batch.id, reason: undefined };
    const reason = reasonOf(same, skew, outcome, options.isSoleSender);
    return { outcome, result: 'undecided', serviceId: undefined, reason };
  });
}

/** Whether another outcome may be the one that a batch belongs to. */
function isRival(other: Outcome, { id, digest }: Outcome): boolean {
  return other.id !== id && other.digest === digest && ['unknown', 'sending'].includes(other.state);
}

function isUnderWay(outcome: Outcome, { creationTime }: SmsBatch, skew: number): boolean {
  const [start, end] = underWay(outcome, skew);
  const time = Date.parse(creationTime ?? '');
  return time >= start && time <= end;
}

function isNear({ startedAt, endedAt }: Outcome, { creationTime }: SmsBatch, skew: number): boolean {
  const time = Date.parse(creationTime ?? '') - skew;
  return time >= startedAt - doubtfulMilliseconds && time <= (endedAt ?? startedAt) + doubtfulMilliseconds;
}

/** @param isSoleSender whether the user stated that only this machine sends texts */
function reasonOf(
  same: readonly FoundBatch[],
  skew: number | undefined,
  outcome: Outcome,
  isSoleSender: boolean,
): Hint {
  const byHand = resolveByHand(outcome);
  if (same.length === 0)
    return nextStep`the service does not list a batch with these texts yet; check later: ${ucctl('sms batches')}; ${byHand}`;
  const ids = same.map(({ batch }) => batch.id).join(', ');
  if (skew === undefined)
    return nextStep`batch ${ids} has the same texts, but the replies contain no time, so ucctl cannot compare times; check the batch, ${byHand}`;
  const [only, second] = same;
  if (only === undefined || second !== undefined)
    return nextStep`several batches have the same texts (batch ${ids}); check these batches, ${byHand}`;
  const limit = exceededLimit(outcome, 'batch', Date.parse(only.batch.creationTime ?? ''), skew);
  if (limit !== undefined)
    return nextStep`batch ${ids} has the same texts, but another machine may have sent this batch: ${limit}; check the batch, ${byHand}`;
  if (isSoleSender)
    return nextStep`batch ${ids} may belong to another request of this machine with the same texts; check the batch, ${byHand}`;
  return nextStep`batch ${ids} has the same texts, but another machine or app of this user may have sent this batch; if only this machine sends texts: ${ucctl`outcome resolve ${outcome.id} --sole-sender`}; otherwise check the batch, ${byHand}`;
}

async function readBatches(
  { api, signal }: Pick<ResolveOptions, 'api' | 'signal'>,
  since: number,
): Promise<FoundBatches> {
  const batches: FoundBatch[] = [];
  const filter = { dateFrom: new Date(since).toISOString() };
  let skew: number | undefined;
  const onReply = ({ date, receivedAt }: ReplyFacts): void => {
    skew = skewOf(date, receivedAt) ?? skew;
  };
  for await (const batch of api.smsBatches.list(filter, { signal, onReply }))
    batches.push({ batch, digest: await digestOf(api, batch, signal) });
  return { batches, skew };
}

/**
 * Returns the digest of the texts of a batch. The service does not list rejected texts. If some texts were rejected,
 * the digest of the batch differs from the digest of the request.
 */
async function digestOf(
  api: Pick<Client, 'smsBatches'>,
  { id, from = '' }: SmsBatch,
  signal: AbortSignal | undefined,
): Promise<string> {
  const texts: (readonly [string, string])[] = [];
  const messages = api.smsBatches.messages({ batchId: id, view: 'Detailed' }, { signal });
  for await (const { to = [], text = '' } of messages) texts.push([to.join(','), text]);
  return batchDigest(from, texts);
}
