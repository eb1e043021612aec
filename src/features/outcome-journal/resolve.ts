import { dayMilliseconds } from '../../platform/day.ts';
import { messageTypes } from '../../contract/enums.ts';
import { messageTypeOf } from '../../contract/message-type.ts';
import type { Message } from '../../contract/message.ts';
import { batchPrefix, partyNumber, textDigest } from './describe-call.ts';
import { resolveByHand } from './by-hand.ts';
import type { Resolution, ResolveOptions } from './resolution.ts';
import { resolveBatches } from './resolve-batch.ts';
import type { Outcome } from './outcome.ts';
import { createdAt, lookUp, type Lookup } from './lookup.ts';
import { exceededLimit, underWay } from './under-way.ts';
import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';
import { lookupTable } from '../../platform/lookup-table.ts';

/** Milliseconds by which a record can be older than its request, because clocks are compared to a few seconds only. */
const beforeMilliseconds = 5000;
/** Milliseconds after the request within which its message is created. A later message belongs to another request. */
const afterMilliseconds = 120_000;
/** Milliseconds for which a request can be in transit. During this time a missing message proves nothing. */
const settleMilliseconds = 10_000;
/**
 * Milliseconds for which even a purged message stays in the mailbox: 5 days (MESSAGE-28), less six hours as a margin.
 */
const retentionMilliseconds = 5 * dayMilliseconds - 6 * 3_600_000;
/** Number of messages up to which a mailbox certainly drops none (MESSAGE-31), with a margin. */
const retainedMessages = 2500;

/**
 * Resolves unknown outcomes, oldest first, by searching the sent messages for the same text to the same recipient. One
 * message matches only one outcome. A match means `sent` only if no other machine sends texts for the user, and the message
 * fits the request. No match means `not-sent` only if the search could not have missed the message.
 */
export async function resolveOutcomes(options: ResolveOptions): Promise<readonly Resolution[]> {
  const { journal, unknown } = options;
  const batches = unknown.filter(({ digest }) => digest.startsWith(batchPrefix));
  const ordered = unknown.filter((outcome) => !batches.includes(outcome)).toSorted((a, b) => a.id - b.id);
  const obstacles = new Map(ordered.map((outcome) => [outcome.id, obstacle(outcome, options)]));
  const open = ordered.filter(({ id }) => obstacles.get(id) === undefined);
  const lookups = await readMailboxes(options, open);
  const claimed = claimedOf(options.all, lookups);
  const matches = new Map(
    options.isSoleSender ? open.map((outcome) => [outcome.id, claim(outcome, lookups, claimed)]) : [],
  );
  const foreign = new Map(open.map((outcome) => [outcome.id, foreignTwin(outcome, lookups, claimed)]));
  const resolutions = ordered.map((outcome): Resolution => {
    const match = matches.get(outcome.id);
    const twin = foreign.get(outcome.id);
    if (match && !twin) return { outcome, result: 'sent', serviceId: String(match.id), reason: undefined };
    if (match && twin)
      return { outcome, result: 'undecided', serviceId: undefined, reason: twinText(outcome, match, twin) };
    const reason =
      obstacles.get(outcome.id) ?? doubt(outcome, lookups.get(outcome.extension), claimed, options);
    return { outcome, result: reason === undefined ? 'not-sent' : 'undecided', serviceId: undefined, reason };
  });
  const found = [...resolutions, ...(await resolveBatches(options, batches))];
  const recorded: Resolution[] = [];
  for (const resolution of found) recorded.push(await record(journal, resolution));
  return recorded;
}

/** Records the result of a search in the journal. */
async function record(journal: ResolveOptions['journal'], resolution: Resolution): Promise<Resolution> {
  const { outcome, result, serviceId } = resolution;
  if (result === 'undecided') return resolution;
  if (await journal.resolve(outcome, { state: result, serviceId })) return resolution;
  const reason = nextStep`another process changed the outcome during the search; to see its state: ${ucctl('outcome list')}`;
  return { outcome, result: 'undecided', serviceId: undefined, reason };
}

/** Returns the reason why the message of an outcome cannot be searched for; undefined if a search is possible. */
function obstacle(outcome: Outcome, { owners }: ResolveOptions): Hint | undefined {
  if (outcome.state !== 'unknown') return `the outcome has the state ${outcome.state}`;
  if (!isText(outcome)) return nextStep`${placeOf(outcome)}; ${resolveByHand(outcome)}`;
  if (outcome.owner === undefined)
    return nextStep`ucctl does not know which user sent the request; ${checkByHand(outcome)}`;
  if (!owners.includes(outcome.owner))
    return nextStep`${ownerText(outcome.owner)} sent the request; sign in as that user, then resolve the outcome again: ${again(outcome)}`;
  if (outcome.digest === '')
    return nextStep`ucctl could not read the content of the request and cannot recognize the message; ${checkMessages(outcome)}`;
  return undefined;
}

/**
 * Returns the reason why a search without a match does not prove that the message was not sent; undefined if the search
 * proves it.
 */
function doubt(
  outcome: Outcome,
  lookup: Lookup | undefined,
  claimed: ReadonlySet<string>,
  options: Pick<ResolveOptions, 'isSoleSender' | 'now'>,
): Hint | undefined {
  const now = options.now();
  if (outcome.startedAt - now > settleMilliseconds)
    return nextStep`the request has a start time in the future, because a clock was set back; ${checkByHand(outcome)}`;
  if (now - outcome.startedAt > retentionMilliseconds) {
    return nextStep`the request is so old that the mailbox may no longer contain the message; ask the recipient, ${resolveByHand(outcome)}`;
  }
  if (lookup?.skew === undefined) {
    return nextStep`the replies of the service contain no time, so ucctl cannot compare message times; ${checkMessages(outcome)}`;
  }
  const [start, end] = windowOf(outcome, lookup.skew);
  if (start < lookup.since)
    return nextStep`the clock of this machine is wrong by more than a day; set the clock, ${checkMessages(outcome)}`;
  const isDropping = lookup.messages.length >= retainedMessages;
  if (isDropping && !lookup.messages.some((message) => createdAt(message) < start)) {
    return nextStep`the mailbox is nearly full and may no longer contain the message; ${checkMessages(outcome)}`;
  }
  const similar = lookup.messages.find((message) => {
    if (claimed.has(claimOf(outcome, message)) || isOfOtherType(outcome, message)) return false;
    if (digestOf(outcome, message) === outcome.digest) return true;
    const time = createdAt(message);
    // A message without a time may be from any time.
    return !(time < start || time > end) && isSimilar(outcome, message);
  });
  if (!similar) return tooEarly(outcome, now);
  const isSame = digestOf(outcome, similar) === outcome.digest;
  const limit = isSame ? exceededLimit(outcome, 'message', createdAt(similar), lookup.skew) : undefined;
  return isSame && limit === undefined && !options.isSoleSender
    ? sameText(outcome, similar)
    : similarText(outcome, similar, limit);
}

/**
 * Returns the reason why a missing message does not prove yet that it was not sent: the service may still receive the
 * request, or not list the message yet. Undefined after `settleMilliseconds`.
 */
function tooEarly(outcome: Outcome, now: number): Hint | undefined {
  const settledAt = (outcome.endedAt ?? outcome.startedAt) + settleMilliseconds;
  if (now >= settledAt) return undefined;
  const wait = `${Math.ceil((settledAt - now) / 1000)} s`;
  return nextStep`the message was not found, but it is too early to be sure: the request may still arrive; retry in ${wait}: ${again(outcome)}`;
}

/** Returns the next steps for a text that the user must look up. */
function checkByHand(outcome: Outcome): Hint {
  return nextStep`check the message, ${resolveByHand(outcome)}`;
}

/** Returns the next steps for a text that the user must search for. */
function checkMessages(outcome: Outcome): Hint {
  return nextStep`check the sent messages yourself, ${resolveByHand(outcome)}`;
}

/** Returns the command that searches for the message of an outcome again. */
function again({ id }: Outcome): Hint {
  return ucctl`outcome resolve ${id}`;
}

function sameText(outcome: Outcome, message: Message): Hint {
  const text = `${titleOf(message)} has the same text and recipients, but another machine or app of this user may have sent that message`;
  const alone = ucctl`outcome resolve ${outcome.id} --sole-sender`;
  return nextStep`${text}; if only this machine sends texts for this user: ${alone}; otherwise ${checkByHand(outcome)}`;
}

/** @param limit why the message does not match, if that is known */
function similarText(outcome: Outcome, similar: Message, limit: string | undefined): Hint {
  const text = `${titleOf(similar)} may be the message of this outcome, or a different message`;
  return nextStep`${text}${limit === undefined ? '' : `: ${limit}`}; ${checkByHand(outcome)}`;
}

function titleOf({ id, creationTime }: Message): string {
  return creationTime === undefined ? `message ${id}` : `message ${id} of ${creationTime}`;
}

function twinText(outcome: Outcome, match: Message, twin: Message): Hint {
  const both = `messages ${match.id} and ${twin.id} have the same text and recipients`;
  return nextStep`${both}, and another machine may have sent one of them; ${checkByHand(outcome)}`;
}

/**
 * Returns a message with the same content that matches no outcome of this machine. It shows that another machine sends
 * the same content, so a match may be a message of that machine.
 */
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

/** Whether the message has lost its text or recipients, or has the same recipients in another spelling. */
function isSimilar({ to }: Outcome, message: Message): boolean {
  if (message.subject === undefined || message.to.length === 0) return true;
  const wanted = tails(to.split(', '));
  return tails(message.to.map(partyNumber)).some((tail) => tail === '' || wanted.includes(tail));
}

function tails(numbers: readonly string[]): readonly string[] {
  return numbers.map((number) => number.replaceAll(/\D/g, '').slice(-2));
}

/** Where the user can look up a request that ucctl cannot search for. */
const places: Readonly<Record<string, Hint>> = lookupTable({
  ringout: nextStep`check the call log: ${ucctl('calllog list')}`,
  fax: nextStep`check the sent faxes: ${ucctl('message list --type Fax')}`,
  'chat-post': 'the service stores no record of posts; check the chat group',
});

function placeOf({ kind }: Outcome): Hint {
  return places[kind] ?? 'the service stores no record of the request; find out whether it was sent';
}

function ownerText(owner: string): string {
  return owner.startsWith('extension ') ? owner : 'another signed-in user';
}

function isText({ kind }: Outcome): boolean {
  return kind === 'sms' || kind === 'pager';
}

/**
 * Whether the type proves that the message does not belong to the outcome. A message without a type, or with the type
 * Text (MESSAGE-5), may be a text or a pager message.
 */
function isOfOtherType({ kind }: Outcome, { type }: Message): boolean {
  const own = kind === 'sms' ? 'SMS' : 'Pager';
  if (type === 'Text') return false;
  const known = messageTypeOf(type ?? '');
  return known !== own && messageTypes.some((one) => one === known);
}

/** Returns the period in which the record of an outcome can have been created, by the clock of the service. */
function windowOf({ startedAt, endedAt }: Outcome, skew: number): readonly [number, number] {
  return [startedAt + skew - beforeMilliseconds, (endedAt ?? startedAt) + skew + afterMilliseconds];
}

async function readMailboxes(
  { api, signal }: ResolveOptions,
  outcomes: readonly Outcome[],
): Promise<ReadonlyMap<string, Lookup>> {
  const found = new Map<string, Lookup>();
  for (const extension of new Set(outcomes.map((outcome) => outcome.extension))) {
    const own = outcomes.filter((outcome) => outcome.extension === extension);
    const started = Math.min(...own.map(({ startedAt }) => startedAt));
    found.set(extension, await lookUp(api, extension, started, signal));
  }
  return found;
}

/** Messages that belong to other outcomes: by ID, or by content if the reply was not read. */
function claimedOf(all: readonly Outcome[], lookups: ReadonlyMap<string, Lookup>): Set<string> {
  const claimed = new Set(all.map(({ kind, serviceId }) => `${kind} ${serviceId}`));
  const withoutId = all.filter(({ state, serviceId }) => state === 'sent' && serviceId === undefined);
  for (const outcome of withoutId.toSorted((a, b) => a.id - b.id)) claim(outcome, lookups, claimed);
  return claimed;
}

/**
 * Claims the oldest unclaimed message that matches the outcome. Undefined if there is none, or if the clocks cannot be
 * compared.
 */
function claim(
  outcome: Outcome,
  lookups: ReadonlyMap<string, Lookup>,
  claimed: Set<string>,
): Message | undefined {
  const lookup = lookups.get(outcome.extension);
  if (lookup?.skew === undefined || !isText(outcome) || outcome.digest === '') return undefined;
  const [start, end] = underWay(outcome, lookup.skew);
  const match = lookup.messages.find((message) => {
    const time = createdAt(message);
    const isInTime = time >= start && time <= end;
    if (!isInTime || claimed.has(claimOf(outcome, message))) return false;
    return digestOf(outcome, message) === outcome.digest;
  });
  if (match) claimed.add(claimOf(outcome, match));
  return match;
}

function claimOf({ kind }: Outcome, message: Message): string {
  return `${kind} ${message.id}`;
}

function digestOf(outcome: Outcome, message: Message): string | undefined {
  if (isOfOtherType(outcome, message)) return undefined;
  const from = partyNumber(message.from);
  // The reply to a pager message also lists the sender among the recipients (PAGER-3).
  const to = message.to.map(partyNumber).filter((one) => outcome.kind === 'sms' || one !== from);
  return textDigest(from, to, message.subject ?? '');
}
