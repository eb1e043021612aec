import type { Client } from '../../client/index.ts';
import type { Message, Party } from '../../contract/message.ts';
import { textDigest } from './describe-call.ts';
import type { Outcome, OutcomeJournal } from './journal.ts';

/** What looking into the message store told. */
export interface Verdict {
  readonly outcome: Outcome;
  /** `undecided` keeps the outcome unknown; `why` says what stands against a verdict. */
  readonly verdict: 'sent' | 'not-sent' | 'undecided';
  readonly serviceId: string | undefined;
  readonly why: string | undefined;
}

/** Clocks of this machine and of the service differ, and a record can be a moment older than its request. */
const beforeMilliseconds = 5000;
/** A text that is later than this after its request was another one. */
const afterMilliseconds = 120_000;
/** A request can still be on its way for so long; sooner, not finding it proves nothing. */
const settleMilliseconds = 10_000;

/**
 * Settles unknown outcomes by looking for the same text to the same receiver among the sent messages, oldest first. One message settles one
 * outcome: those that belong to others are left alone.
 */
export async function resolveOutcomes(
  api: Client,
  journal: OutcomeJournal,
  unknown: readonly Outcome[],
  all: readonly Outcome[],
  now: () => number,
  signal?: AbortSignal,
): Promise<readonly Verdict[]> {
  const claimed = new Set(all.map(({ kind, serviceId }) => `${kind} ${serviceId}`));
  const verdicts: Verdict[] = [];
  const found = await readCandidates(api, unknown, signal);
  for (const outcome of unknown.toSorted((a, b) => a.id - b.id)) {
    const verdict = judge(outcome, found.get(outcome.extension) ?? [], claimed, now());
    if (verdict.serviceId !== undefined) claimed.add(`${outcome.kind} ${verdict.serviceId}`);
    if (verdict.verdict !== 'undecided') {
      journal.end(outcome.id, verdict.verdict, verdict.serviceId, now());
    }
    verdicts.push(verdict);
  }
  return verdicts;
}

function judge(
  outcome: Outcome,
  sent: readonly Message[],
  claimed: ReadonlySet<string>,
  now: number,
): Verdict {
  const undecided = (why: string): Verdict => ({ outcome, verdict: 'undecided', serviceId: undefined, why });
  if (outcome.state !== 'unknown') return undecided(`it is ${outcome.state}`);
  if (!isText(outcome)) return undecided(unsettled[outcome.kind] ?? 'the service keeps nothing to look for');
  const end = (outcome.endedAt ?? outcome.startedAt) + afterMilliseconds;
  const match = sent.find((message) => {
    const time = Date.parse(message.creationTime);
    const isThen = time >= outcome.startedAt - beforeMilliseconds && time <= end;
    return (
      isThen && !claimed.has(`${outcome.kind} ${message.id}`) && digestOf(outcome, message) === outcome.digest
    );
  });
  if (match) return { outcome, verdict: 'sent', serviceId: String(match.id), why: undefined };
  if (now - (outcome.endedAt ?? outcome.startedAt) < settleMilliseconds) {
    return undecided('not among the sent messages yet; look again in some seconds');
  }
  return { outcome, verdict: 'not-sent', serviceId: undefined, why: undefined };
}

const unsettled: Readonly<Record<string, string>> = {
  ringout: 'look for the call in the call log: ucctl calllog list',
  fax: 'look for it among the sent faxes: ucctl message list --type Fax',
  'chat-post': 'the service gives posts no trace that can be looked for; look into the chat itself',
};

function isText({ kind }: Outcome): boolean {
  return kind === 'sms' || kind === 'pager';
}

/** Sent messages of each extension since the first of its outcomes, oldest first. */
async function readCandidates(
  api: Client,
  outcomes: readonly Outcome[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, readonly Message[]>> {
  const found = new Map<string, readonly Message[]>();
  const texts = outcomes.filter(isText);
  for (const extension of new Set(texts.map((outcome) => outcome.extension))) {
    const own = texts.filter((outcome) => outcome.extension === extension);
    const since = Math.min(...own.map(({ startedAt }) => startedAt)) - beforeMilliseconds;
    const messages: Message[] = [];
    const filter = {
      direction: ['Outbound' as const],
      dateFrom: new Date(since).toISOString(),
      // A message that was deleted since was sent all the same.
      availability: ['Alive' as const, 'Deleted' as const, 'Purged' as const],
    };
    for await (const message of api.messages.list(extension, filter, { signal })) messages.push(message);
    found.set(
      extension,
      messages.toSorted((a, b) => Date.parse(a.creationTime) - Date.parse(b.creationTime)),
    );
  }
  return found;
}

function digestOf({ kind }: Outcome, message: Message): string | undefined {
  if (message.type !== (kind === 'sms' ? 'SMS' : 'Pager')) return undefined;
  const from = numberOf(message.from);
  // The reply to a page also lists its sender among the receivers (specification, SMS and pager rules, 2).
  const to = message.to.map(numberOf).filter((one) => kind === 'sms' || one !== from);
  return textDigest(from, to, message.subject ?? '');
}

function numberOf(party: Party): string {
  return party.phoneNumber ?? party.extensionNumber ?? '';
}
