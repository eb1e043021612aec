import type { Call } from '../../client/index.ts';
import { bodyMembers, isStreamed } from '../../platform/body-members.ts';
import { isJsonObject, stringifyJson } from '../../platform/json.ts';
import { kindOfSend, receiversOf } from '../../platform/receivers.ts';
import { comparablePath } from '../../platform/request-path.ts';
import { sendingPath, type SendingKind } from '../../platform/sending-paths.ts';
import { sha256 } from '../../platform/sha256.ts';

export type OutcomeKind = SendingKind;

/** The data that the journal stores of a request: enough to recognize the request, without its content. */
export interface CallDescription {
  readonly kind: OutcomeKind;
  /** ID of the extension that sends; `~` for the signed-in extension. */
  readonly extension: string;
  /**
   * sha256 of sender, recipients and text, or of the whole body. Empty if the content could not be read. Without it,
   * the message cannot be searched for.
   */
  readonly digest: string;
  /** Recipients with all but the last two digits hidden. */
  readonly to: string;
}

/** Matches the extension that sends, if the path names one. */
const sendingExtension = /\/extension\/([^/]+)\/[^/]+$/;

/**
 * Describes a request; undefined if it sends no message and places no call, such as one that creates a subscription.
 */
export function describeCall(call: Call): CallDescription | undefined {
  const { faxTo = [] } = call;
  if (faxTo.length > 0)
    return {
      kind: 'fax',
      extension: '~',
      digest: bodyDigest([call.path, call.body]),
      to: faxTo.map(masked).join(', '),
    };
  const path = comparablePath(call.path);
  const kind = kindOfSend(path, call.body);
  if (kind === undefined) return undefined;
  const isKnown = sendingPath(path)?.kind === kind;
  return describe(call, kind, isKnown ? (sendingExtension.exec(path)?.[1] ?? '') : '');
}

/**
 * Describes a request of a known kind. `extension` is empty if the path contains no extension; no mailbox can then be
 * searched for the message.
 */
function describe(call: Call, kind: OutcomeKind, extension: string): CallDescription {
  const body = bodyMembers(call.body) ?? {};
  const isText = kind === 'sms' || kind === 'pager';
  const digest = isText ? digestOf(body) : bodyDigest(isStreamed(call.body) ? body : call.body);
  return {
    kind,
    extension: extension || '~',
    digest: isText && extension === '' ? batchDigestOf(body) : digest,
    to: receiversText(call.body, body),
  };
}

/** Returns the recipients, with one entry for each recipient, because the hourly limit counts these entries. */
function receiversText(body: unknown, members: Readonly<Record<string, unknown>>): string {
  const named = receivers(members['to']);
  const { numbers, count } = receiversOf(body);
  if (named.length >= count) return named.map(masked).join(', ');
  const unread = Array.from({ length: count - numbers.length }, () => '?');
  return [...numbers.map(masked), ...unread].join(', ');
}

/**
 * Returns the digest of a body. Empty unless every party has the identifier that the service uses in its record,
 * because otherwise the record could not be recognized.
 */
function digestOf(body: Readonly<Record<string, unknown>>): string {
  const { from, to, text } = body;
  const parties = Array.isArray(to) ? to : [to];
  const isReadable =
    typeof text === 'string' && [from, ...parties].every((party) => partyNumber(party) !== '');
  return isReadable ? textDigest(partyNumber(from), receivers(to), text) : '';
}

/**
 * Prefix of the digest of a batch. A batch is searched for in the list of batches instead of in the messages of an
 * extension.
 */
export const batchPrefix = 'batch:';

/** Returns the digest of a batch of high-volume texts. Empty if the body is not such a batch. */
function batchDigestOf({ from, text, messages }: Readonly<Record<string, unknown>>): string {
  if (typeof from !== 'string' || !Array.isArray(messages)) return '';
  const texts: (readonly [string, string])[] = [];
  for (const message of messages as readonly unknown[]) {
    const { to, text: own = text } = isJsonObject(message) ? message : {};
    if (!Array.isArray(to) || typeof own !== 'string') return '';
    texts.push([(to as readonly unknown[]).map(String).join(','), own]);
  }
  return batchDigest(from, texts);
}

/**
 * Returns the digest of a batch, which is equal for the request and for the texts of the batch in the service.
 * @param texts the recipients, separated by commas, and the text of each message
 */
export function batchDigest(from: string, texts: readonly (readonly [string, string])[]): string {
  const lines = texts.map((one) => stringifyJson(one)).sort();
  return `${batchPrefix}${sha256(stringifyJson([from, lines]))}`;
}

/** Returns the digest of a text, which is equal for the request and for the message in the message store. */
export function textDigest(from: string, to: readonly string[], text: string): string {
  return sha256(stringifyJson([from, [...to].sort(), text]));
}

function bodyDigest(body: unknown): string {
  return sha256(body instanceof Uint8Array ? body : stringifyJson(body ?? null));
}

function receivers(to: unknown): readonly string[] {
  return (Array.isArray(to) ? to : [to]).map(partyNumber).filter((one) => one !== '');
}

/**
 * Returns the number that identifies a party in digests, which is equal for the request and for the message in the
 * message store. Empty for a party without a number.
 */
export function partyNumber(party: unknown): string {
  if (!isJsonObject(party)) return '';
  const number = party['phoneNumber'] ?? party['extensionNumber'];
  return typeof number === 'string' ? number : '';
}

function masked(number: string): string {
  return number.length <= 4
    ? number
    : `${number.slice(0, 2)}${'*'.repeat(number.length - 4)}${number.slice(-2)}`;
}
