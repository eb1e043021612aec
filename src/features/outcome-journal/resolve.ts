import type { Client } from '../../client/index.ts';
import type { Message, Party } from '../../contract/message.ts';
import { textDigest } from './describe-call.ts';
import type { Outcome, OutcomeJournal } from './journal.ts';
import { lookUp, type Lookup } from './lookup.ts';
import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';

/** What looking into the message store told. */
export interface Verdict {
  readonly outcome: Outcome;
  /** `undecided` keeps the outcome unknown; `why` says what stands against a verdict. */
  readonly verdict: 'sent' | 'not-sent' | 'undecided';
  readonly serviceId: string | undefined;
  readonly why: Hint | undefined;
}

/** What is looked at, by whom and when. */
export interface Question {
  readonly api: Client;
  readonly journal: OutcomeJournal;
  /** What is to be settled. */
  readonly unknown: readonly Outcome[];
  /** Everything that was sent from here to this service: one message settles one outcome. */
  readonly all: readonly Outcome[];
  /** Who is signed in, by each name that an outcome may have for it. */
  readonly owners: readonly string[];
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
}

/** A record can be a moment older than its request, and a clock that was compared is right to some seconds. */
const beforeMilliseconds = 5000;
/** A text that is later than this after its request was another one. */
const afterMilliseconds = 120_000;
/** The Date header has whole seconds, so the two clocks are compared to half a second. */
const clockErrorMilliseconds = 600;
/**
 * A request that arrives is processed within moments, however long its answer is waited for afterwards. A text that was created later than this
 * after the start of the request may be from another machine of the same user.
 */
const processedMilliseconds = 2000;
/** A request can still be on its way for so long; sooner, not finding it proves nothing. */
const settleMilliseconds = 10_000;
/** A message that was purged at once leaves the mailbox after 5 days (MESSAGE-28); some hours less, to be safe. */
const keptMilliseconds = 5 * 86_400_000 - 6 * 3_600_000;
/** A mailbox drops its oldest messages beyond this maximum: MESSAGE-31. */
const surelyKeptMessages = 2500;

/**
 * Settles unknown outcomes by looking for the same text to the same receiver among the sent messages, oldest first. One message settles one
 * outcome: those that belong to others are left alone. Finding it says `sent` only where it cannot be from another machine of the same user; not
 * finding it says `not-sent` only when it could not have been overlooked.
 */
export async function resolveOutcomes(question: Question): Promise<readonly Verdict[]> {
  const { journal, unknown, now } = question;
  const ordered = unknown.toSorted((a, b) => a.id - b.id);
  const refused = new Map(ordered.map((outcome) => [outcome.id, obstacle(outcome, question)]));
  const open = ordered.filter(({ id }) => refused.get(id) === undefined);
  const lookups = await readMailboxes(question, open);
  const claimed = claimedOf(question.all, lookups);
  const matches = new Map(open.map((outcome) => [outcome.id, claim(outcome, lookups, claimed)]));
  const foreign = new Map(open.map((outcome) => [outcome.id, foreignTwin(outcome, lookups, claimed)]));
  const verdicts = ordered.map((outcome): Verdict => {
    const match = matches.get(outcome.id);
    const twin = foreign.get(outcome.id);
    if (match && !twin) return { outcome, verdict: 'sent', serviceId: String(match.id), why: undefined };
    if (match && twin)
      return { outcome, verdict: 'undecided', serviceId: undefined, why: twinText(match, twin) };
    const why = refused.get(outcome.id) ?? doubt(outcome, lookups.get(outcome.extension), claimed, now());
    return { outcome, verdict: why === undefined ? 'not-sent' : 'undecided', serviceId: undefined, why };
  });
  for (const { outcome, verdict, serviceId } of verdicts) {
    if (verdict !== 'undecided') journal.end(outcome.id, verdict, serviceId, now());
  }
  return verdicts;
}

/** Why it cannot be looked for at all. */
function obstacle(outcome: Outcome, { owners }: Question): Hint | undefined {
  if (outcome.state !== 'unknown') return `it is ${outcome.state}`;
  if (!isText(outcome)) return unsettled[outcome.kind] ?? 'the service keeps nothing to look for';
  if (outcome.owner === undefined || !owners.includes(outcome.owner)) {
    const whose = outcome.owner === undefined ? 'somebody who is not known' : ownerText(outcome.owner);
    return `it was sent by ${whose}, and only that mailbox can tell: sign in as that one, then resolve it again`;
  }
  if (outcome.digest === '')
    return 'what was sent could not be read, so it cannot be recognised; look by hand';
  return undefined;
}

/** Why not finding it proves nothing; undefined when it was not sent. */
function doubt(
  outcome: Outcome,
  lookup: Lookup | undefined,
  claimed: ReadonlySet<string>,
  now: number,
): Hint | undefined {
  if (now - (outcome.endedAt ?? outcome.startedAt) < settleMilliseconds) {
    return 'not among the sent messages yet; look again in some seconds';
  }
  if (now - outcome.startedAt > keptMilliseconds) {
    return 'it is so old that the mailbox may have forgotten it; ask the receiver';
  }
  if (lookup?.skew === undefined) {
    return "the service does not tell its time, so the time of the request cannot be found among the messages'";
  }
  const [start, end] = windowOf(outcome, lookup.skew);
  if (start < lookup.since) return "this machine's clock is more than a day off; set it, then look by hand";
  const isDropping = lookup.messages.length >= surelyKeptMessages;
  if (isDropping && !lookup.messages.some((message) => Date.parse(message.creationTime) < start)) {
    return 'the mailbox holds so many messages that it may have dropped it; look by hand';
  }
  const like = lookup.messages.find((message) => {
    if (claimed.has(claimOf(outcome, message)) || message.type !== typeOf(outcome)) return false;
    if (digestOf(outcome, message) === outcome.digest) return true;
    const time = Date.parse(message.creationTime);
    return time >= start && time <= end && isLike(outcome, message);
  });
  return like && likeText(outcome, like, lookup.skew);
}

const byHand = nextStep`look at it, then settle it: ${ucctl('outcome resolve ID --as sent')}, or --as not-sent`;

function likeText(outcome: Outcome, like: Message, skew: number): Hint {
  const text = `message ${like.id} of ${like.creationTime} may be this one or another`;
  const seconds = Math.round((Date.parse(like.creationTime) - skew - outcome.startedAt) / 1000);
  if (digestOf(outcome, like) !== outcome.digest || seconds === 0) return nextStep`${text}; ${byHand}`;
  const when = `${Math.abs(seconds)} s ${seconds > 0 ? 'after' : 'before'} this request started`;
  return nextStep`${text}: it was created ${when}, and another machine may have sent it; ${byHand}`;
}

function twinText(match: Message, twin: Message): Hint {
  const both = `messages ${match.id} and ${twin.id} are the same`;
  return nextStep`${both}, and this machine did not send both: another one may have sent either; ${byHand}`;
}

/** The same text that nothing recorded here accounts for: somebody else sends it too, so that one found may be theirs. */
function foreignTwin(
  outcome: Outcome,
  lookups: ReadonlyMap<string, Lookup>,
  claimed: ReadonlySet<string>,
): Message | undefined {
  return lookups
    .get(outcome.extension)
    ?.messages.find(
      (message) => digestOf(outcome, message) === outcome.digest && !claimed.has(claimOf(outcome, message)),
    );
}

/** A message that lost its text or receivers, or that went to the same ones with another spelling of either. */
function isLike({ to }: Outcome, message: Message): boolean {
  if (message.subject === undefined || message.to.length === 0) return true;
  const wanted = tails(to.split(', '));
  return tails(message.to.map(numberOf)).some((tail) => tail === '' || wanted.includes(tail));
}

function tails(numbers: readonly string[]): readonly string[] {
  return numbers.map((number) => number.replaceAll(/\D/g, '').slice(-2));
}

const unsettled: Readonly<Record<string, Hint>> = {
  ringout: nextStep`look for the call in the call log: ${ucctl('calllog list')}`,
  fax: nextStep`look for it among the sent faxes: ${ucctl('message list --type Fax')}`,
  'chat-post': 'the service gives posts no trace that can be looked for; look into the chat itself',
};

function ownerText(owner: string): string {
  return owner.startsWith('extension ') ? owner : 'another sign-in';
}

function isText({ kind }: Outcome): boolean {
  return kind === 'sms' || kind === 'pager';
}

function typeOf({ kind }: Outcome): string {
  return kind === 'sms' ? 'SMS' : 'Pager';
}

/** When its record can have been made, by the service's clock. */
function windowOf({ startedAt, endedAt }: Outcome, skew: number): readonly [number, number] {
  return [startedAt + skew - beforeMilliseconds, (endedAt ?? startedAt) + skew + afterMilliseconds];
}

async function readMailboxes(
  { api, now, signal }: Question,
  outcomes: readonly Outcome[],
): Promise<ReadonlyMap<string, Lookup>> {
  const found = new Map<string, Lookup>();
  for (const extension of new Set(outcomes.map((outcome) => outcome.extension))) {
    const own = outcomes.filter((outcome) => outcome.extension === extension);
    const started = Math.min(...own.map(({ startedAt }) => startedAt));
    found.set(extension, await lookUp(api, extension, started, now, signal));
  }
  return found;
}

/** Messages that belong to others: known by their id, or, where the reply was not read, by their text. */
function claimedOf(all: readonly Outcome[], lookups: ReadonlyMap<string, Lookup>): Set<string> {
  const claimed = new Set(all.map(({ kind, serviceId }) => `${kind} ${serviceId}`));
  const nameless = all.filter(({ state, serviceId }) => state === 'sent' && serviceId === undefined);
  for (const outcome of nameless.toSorted((a, b) => a.id - b.id)) claim(outcome, lookups, claimed);
  return claimed;
}

/**
 * When its record was made, if the message is surely this outcome's: while the request was under way. Where it is not even known that it arrived,
 * only close to its start.
 */
function underWay({ state, startedAt, endedAt }: Outcome, skew: number): readonly [number, number] {
  const end = (endedAt ?? Number.POSITIVE_INFINITY) + clockErrorMilliseconds;
  const last = state === 'sent' ? end : Math.min(end, startedAt + processedMilliseconds);
  return [startedAt + skew - clockErrorMilliseconds, last + skew];
}

/** Takes the oldest free message that is the outcome's, if there is one; none where the clocks cannot be compared. */
function claim(
  outcome: Outcome,
  lookups: ReadonlyMap<string, Lookup>,
  claimed: Set<string>,
): Message | undefined {
  const lookup = lookups.get(outcome.extension);
  if (lookup?.skew === undefined || !isText(outcome) || outcome.digest === '') return undefined;
  const [start, end] = underWay(outcome, lookup.skew);
  const match = lookup.messages.find((message) => {
    const time = Date.parse(message.creationTime);
    if (time < start || time > end || claimed.has(claimOf(outcome, message))) return false;
    return digestOf(outcome, message) === outcome.digest;
  });
  if (match) claimed.add(claimOf(outcome, match));
  return match;
}

function claimOf({ kind }: Outcome, message: Message): string {
  return `${kind} ${message.id}`;
}

function digestOf(outcome: Outcome, message: Message): string | undefined {
  if (message.type !== typeOf(outcome)) return undefined;
  const from = numberOf(message.from);
  // The reply to a page also lists its sender among the recipients (PAGER-3).
  const to = message.to.map(numberOf).filter((one) => outcome.kind === 'sms' || one !== from);
  return textDigest(from, to, message.subject ?? '');
}

function numberOf(party: Party): string {
  return party.phoneNumber ?? party.extensionNumber ?? '';
}
