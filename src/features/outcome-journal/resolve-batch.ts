import type { Client } from '../../client/index.ts';
import type { SmsBatch } from '../../contract/sms-batch.ts';
import { nextStep, ucctl, type Hint } from '../../errors/hint.ts';
import { batchDigest } from './describe-call.ts';
import type { Outcome } from './journal.ts';
import type { Resolution, ResolveOptions } from './resolution.ts';

/** Milliseconds by which the clocks of machine and service may differ: batches outside of this period are not read. */
const longestSkew = 15 * 60_000;

/** A batch of the service with the digest of its texts. */
interface FoundBatch {
  readonly batch: SmsBatch;
  readonly digest: string;
}

/**
 * Resolves outcomes of batches of texts by reading the batches since then and their texts (TEXTBATCH-5, TEXTBATCH-6). Exactly one
 * batch with the same texts means `sent`. Otherwise the outcome stays unknown: no published fact says how soon
 * a batch is listed, so its absence proves nothing.
 */
export async function resolveBatches(
  options: Pick<ResolveOptions, 'api' | 'all' | 'signal'>,
  outcomes: readonly Outcome[],
): Promise<readonly Resolution[]> {
  if (outcomes.length === 0) return [];
  const since = Math.min(...outcomes.map(({ startedAt }) => startedAt)) - longestSkew;
  const found = await readBatches(options, since);
  const claimed = new Set(options.all.flatMap(({ serviceId }) => serviceId ?? []));
  return outcomes.map((outcome) => {
    const same = found.filter(
      ({ batch, digest }) => digest === outcome.digest && !claimed.has(batch.id) && isInTime(outcome, batch),
    );
    const [only, second] = same;
    if (only && !second && countOf(outcomes, outcome) === 1)
      return { outcome, result: 'sent', serviceId: only.batch.id, reason: undefined };
    return { outcome, result: 'undecided', serviceId: undefined, reason: reasonOf(same) };
  });
}

/** Number of outcomes with the same texts, which one batch cannot all explain. */
function countOf(outcomes: readonly Outcome[], { digest }: Outcome): number {
  return outcomes.filter((one) => one.digest === digest).length;
}

function isInTime({ startedAt, endedAt }: Outcome, { creationTime }: SmsBatch): boolean {
  const time = Date.parse(creationTime ?? '');
  return time >= startedAt - longestSkew && time <= (endedAt ?? startedAt) + longestSkew;
}

function reasonOf(same: readonly FoundBatch[]): Hint {
  const byHand = nextStep`then resolve the outcome: ${ucctl('outcome resolve ID --as sent')}, or --as not-sent`;
  if (same.length === 0)
    return nextStep`no batch with these texts is listed yet; check later: ${ucctl('sms batches')}; ${byHand}`;
  const ids = same.map(({ batch }) => batch.id).join(', ');
  return nextStep`several requests and batches have the same texts (batch ${ids}); check them, ${byHand}`;
}

async function readBatches(
  { api, signal }: Pick<ResolveOptions, 'api' | 'signal'>,
  since: number,
): Promise<readonly FoundBatch[]> {
  const found: FoundBatch[] = [];
  const filter = { dateFrom: new Date(since).toISOString() };
  for await (const batch of api.smsBatches.list(filter, { signal }))
    found.push({ batch, digest: await digestOf(api, batch, signal) });
  return found;
}

/** The digest of the texts of a batch. Rejected texts are not listed, so the batch of a request with some has another digest. */
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
