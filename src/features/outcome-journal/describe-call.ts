import { createHash } from 'node:crypto';
import type { Call } from '../../client/index.ts';
import { bodyMembers, isStreamed } from '../../platform/body-members.ts';
import { isJsonObject, stringifyJson } from '../../platform/json.ts';
import { reachesNumbers, receiversOf } from '../../platform/receivers.ts';
import { comparablePath } from '../../platform/request-path.ts';
import { sendingPath, type SendingKind } from '../../platform/sending-paths.ts';

export type OutcomeKind = SendingKind;

/** What the journal keeps of a call: enough to recognise it, not enough to read it. */
export interface CallDescription {
  readonly kind: OutcomeKind;
  /** The extension that sends; `~` is the signed-in one. */
  readonly extension: string;
  /** sha256 of sender, receivers and text, or of the whole body; empty for a text that could not be read: it can never be found again. */
  readonly digest: string;
  /** Receivers with all but the last two digits hidden. */
  readonly to: string;
}

/** The extension that sends, where the path names one. */
const sendingExtension = /\/extension\/([^/]+)\/[^/]+$/;

/** Describes a call; undefined when it sends nothing to anyone, such as creating a subscription: that is listed, not journalled. */
export function describeCall(call: Call): CallDescription | undefined {
  const path = comparablePath(call.path);
  const found = sendingPath(path);
  if (found) return describe(call, found.kind, sendingExtension.exec(path)?.[1] ?? '');
  // A path that is not known sends texts where its body names telephones as receivers.
  return reachesNumbers(path, call.body) ? describe(call, 'sms', '') : undefined;
}

/** `extension`: empty where the path names none; then what was sent is in no mailbox that could be looked through. */
function describe(call: Call, kind: OutcomeKind, extension: string): CallDescription {
  const body = bodyMembers(call.body) ?? {};
  const isText = kind === 'sms' || kind === 'pager';
  const digest = isText ? digestOf(body) : bodyDigest(isStreamed(call.body) ? body : call.body);
  return {
    kind,
    extension: extension || '~',
    digest: isText && extension === '' ? '' : digest,
    to: receiversText(call.body, body),
  };
}

/** One entry for each receiver: the journal counts by them. */
function receiversText(body: unknown, members: Readonly<Record<string, unknown>>): string {
  const named = receivers(members['to']);
  const { numbers, count } = receiversOf(body);
  if (named.length >= count) return named.map(masked).join(', ');
  const unread = Array.from({ length: count - numbers.length }, () => '?');
  return [...numbers.map(masked), ...unread].join(', ');
}

/** Every party must be named as the service names it in its record, else the record could not be recognised. */
function digestOf(body: Readonly<Record<string, unknown>>): string {
  const { from, to, text } = body;
  const parties = Array.isArray(to) ? to : [to];
  const isReadable = typeof text === 'string' && [from, ...parties].every((party) => sender(party) !== '');
  return isReadable ? textDigest(sender(from), receivers(to), text) : '';
}

/** The same for a message in the store as for the request that made it. */
export function textDigest(from: string, to: readonly string[], text: string): string {
  return sha256(stringifyJson([from, [...to].sort(), text]));
}

function bodyDigest(body: unknown): string {
  return sha256(body instanceof Uint8Array ? body : stringifyJson(body ?? null));
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

function receivers(to: unknown): readonly string[] {
  return (Array.isArray(to) ? to : [to]).map(sender).filter((one) => one !== '');
}

function sender(party: unknown): string {
  if (!isJsonObject(party)) return '';
  const number = party['phoneNumber'] ?? party['extensionNumber'];
  return typeof number === 'string' ? number : '';
}

function masked(number: string): string {
  return number.length <= 4
    ? number
    : `${number.slice(0, 2)}${'*'.repeat(number.length - 4)}${number.slice(-2)}`;
}
