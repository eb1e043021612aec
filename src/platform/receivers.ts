import { jsonIn, bodyMembers, isStreamed } from './body-members.ts';
import { isJsonObject } from './json.ts';

/** A number as people and services write it; dates have the same characters. */
const writtenNumber = /^(?!\d{4}-\d\d-\d\d)\+?[\d\s().-]{7,}$/;

/** Whom the body of a request reaches. */
export interface Receivers {
  /** Receivers in all, also those whose number cannot be read. */
  readonly count: number;
  /** Telephone numbers, as written. */
  readonly numbers: readonly string[];
}

/** Receivers in `to`, in `messages[].to` of a batch, and in the `to` of each item where the body is a list. */
export function receiversOf(body: unknown): Receivers {
  const list = listIn(body);
  const messages = list ?? messagesOf(bodyMembers(body));
  const own = list ? [] : partiesOf(bodyMembers(body)?.['to']);
  const parties = [...own, ...messages.flatMap(receiversOfMessage)];
  const numbers = parties.flatMap((party) => numberOf(party) ?? []);
  return { count: parties.length, numbers };
}

/** Telephone numbers of one party or of several. */
export function numbersOf(parties: unknown): readonly string[] {
  return partiesOf(parties).flatMap((party) => numberOf(party) ?? []);
}

/** Paths that change what is stored, whatever their body holds. */
const storing = /\/message-store(\/|$)/;

/** Whether a request sends something to telephones, by the members of its body: for paths that are not known. */
export function reachesNumbers(path: string, body: unknown): boolean {
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

/** A message without receivers counts as one that cannot be read. */
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
