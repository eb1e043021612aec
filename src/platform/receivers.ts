import { bodyMembers, hasRepeatedMember, isStreamed, jsonIn } from './body-members.ts';
import { isJsonObject, stringifyJson } from './json.ts';
import { sendingPath, type SendingKind } from './sending-paths.ts';

/** A phone number in common notation, but not a date. */
const writtenNumber = /^(?!\d{4}-\d\d-\d\d)\+?[\d\s().-]{7,}$/;

/** The recipients in the body of a request. */
export interface Receivers {
  /** Number of recipients, including those with unreadable numbers. */
  readonly count: number;
  /** Phone numbers as written in the body. */
  readonly numbers: readonly string[];
}

/** Reads the recipients in `to` and in `messages[].to` of a batch. If the body is a list, reads the `to` of each item. */
export function receiversOf(body: unknown): Receivers {
  const list = listIn(body);
  const messages = list ?? messagesOf(bodyMembers(body));
  const own = list ? [] : partiesOf(bodyMembers(body)?.['to']);
  const parties = [...own, ...messages.flatMap(receiversOfMessage)];
  const numbers = parties.flatMap((party) => numberOf(party) ?? []);
  return { count: parties.length, numbers };
}

/** Phone numbers of one or several parties. */
export function numbersOf(parties: unknown): readonly string[] {
  return partiesOf(parties).flatMap((party) => numberOf(party) ?? []);
}

/** Paths of requests that only change stored messages, whatever their body contains. */
const storing = /\/message-store(\/|$)/;

/**
 * Returns what a POST to a path in the form of `comparablePath` sends; undefined if it sends nothing. A request with an
 * unknown path, and a post to a chat, are treated as a text if their body names phone numbers as recipients.
 */
export function kindOfSend(path: string, body: unknown): SendingKind | undefined {
  const kind = sendingPath(path)?.kind;
  if (kind !== undefined && kind !== 'chat-post') return kind;
  return reachesNumbers(path, body) ? 'sms' : kind;
}

/**
 * Whether a request for stored messages may restore some of them, which sends a canceled fax (FAX-7). True for a
 * body that cannot be read. The path is in the form of `comparablePath`.
 */
export function restoresMessages(path: string, body: unknown): boolean {
  if (!storing.test(path) || body === undefined) return false;
  const value = typeof body === 'string' || body instanceof Uint8Array ? jsonIn(body) : body;
  if (value === undefined || isStreamed(value) || hasRepeatedMember(body)) return true;
  return /"alive"/i.test(stringifyJson(value));
}

/** Whether a request with an unknown path sends something to phone numbers, according to the members of its body. */
function reachesNumbers(path: string, body: unknown): boolean {
  if (storing.test(path)) return false;
  return receiversOf(body).numbers.some((number) => writtenNumber.test(number.trim()));
}

function listIn(body: unknown): readonly unknown[] | undefined {
  if (isStreamed(body)) return undefined;
  const value = typeof body === 'string' || body instanceof Uint8Array ? jsonIn(body) : body;
  return Array.isArray(value) ? (value as readonly unknown[]) : undefined;
}

function messagesOf(members: Readonly<Record<string, unknown>> | undefined): readonly unknown[] {
  const messages = members?.['messages'];
  return Array.isArray(messages) ? (messages as readonly unknown[]) : [];
}

/** Returns the recipients of a message. A message without recipients counts as a message with one unreadable recipient. */
function receiversOfMessage(message: unknown): readonly unknown[] {
  const parties = isJsonObject(message) ? partiesOf(message['to']) : [];
  return parties.length > 0 ? parties : [undefined];
}

function partiesOf(value: unknown): readonly unknown[] {
  return [value ?? []].flat();
}

function numberOf(party: unknown): string | undefined {
  const number = isJsonObject(party) ? party['phoneNumber'] : party;
  return typeof number === 'string' ? number : undefined;
}
