import { messageTypeOf } from '../../contract/message-type.ts';
import type { Attachment, Message, Party } from '../../contract/message.ts';
import { isJsonObject, parseJson } from '../../platform/json.ts';

/** A deleted or purged message, of which only ID and availability are returned (SYNC-12). */
export interface Tombstone {
  readonly kind: 'tombstone';
  readonly id: string;
  readonly availability: string;
}

/** A message as columns of the database. */
export interface MessageColumns {
  readonly kind: 'message';
  readonly id: string;
  readonly type: string;
  readonly direction: string | null;
  readonly availability: string;
  readonly readStatus: string | null;
  readonly messageStatus: string | null;
  /** Creation time in ISO 8601 format and UTC. */
  readonly creationTime: string;
  /** The creation time in milliseconds since 1970. */
  readonly createdAt: number;
  readonly lastModifiedTime: string | null;
  readonly conversationId: string | null;
  readonly fromNumber: string | null;
  readonly fromExtension: string | null;
  readonly fromName: string | null;
  /** Phone numbers or extension numbers, separated by spaces. */
  readonly toNumbers: string;
  readonly toNames: string;
  readonly subject: string | null;
  readonly mediaWanted: number;
  /** Number of attachments; null if the record has no list of them. */
  readonly attachments: number | null;
  /** The unchanged text of the record. */
  readonly raw: string;
}

/** Reason why a record cannot be stored. `id` is the ID of the record, if it has one. */
export class BadRecordError extends Error {
  override readonly name = 'BadRecordError';
  readonly id: string | undefined;

  constructor(message: string, id?: string) {
    super(message);
    this.id = id;
  }
}

type Loose = Partial<Message>;

/** Later creation times are invalid, because the key of a message, which is a multiple of its time, would not be exact. */
const latestTime = Date.UTC(2255, 0);

/** Whether a time in milliseconds since 1970 can be the creation time of a stored message. */
export function isMessageTime(time: number): boolean {
  return time > 0 && time < latestTime;
}

/** The escape with which JSON can contain U+0000; no other form is valid. */
const escapedNul = String.raw`\u0000`;

/**
 * Reads one record of a sync, or a message of the store.
 * @throws {BadRecordError} the record cannot be stored.
 */
export function readRecord(text: string): MessageColumns | Tombstone {
  const record = parse(text);
  const id = idText(record.id);
  if (id === undefined) throw new BadRecordError('the record has no ID');
  const availability = textOf(record.availability) ?? 'Alive';
  const type = textOf(record.type);
  if (type === undefined) {
    if (availability === 'Alive') throw new BadRecordError('the message has no type', id);
    return { kind: 'tombstone', id, availability };
  }
  const creationTime = textOf(record.creationTime);
  const createdAt = Date.parse(creationTime ?? '');
  if (!isMessageTime(createdAt)) throw new BadRecordError('the message has no valid creationTime', id);
  const columns: MessageColumns = {
    kind: 'message',
    id,
    type: messageTypeOf(type),
    direction: textOf(record.direction) ?? null,
    availability,
    readStatus: textOf(record.readStatus) ?? null,
    messageStatus: textOf(record.messageStatus) ?? null,
    creationTime: utc(creationTime, createdAt),
    createdAt,
    lastModifiedTime: modifiedTime(textOf(record.lastModifiedTime)),
    conversationId: idText(record.conversationId) ?? null,
    ...senderColumns(record),
    ...recipientColumns(record),
    subject: textOf(record.subject) ?? null,
    mediaWanted: wantedAttachments(record).length,
    attachments: record.attachments === undefined ? null : listLength(record.attachments),
    raw: text,
  };
  return text.includes(escapedNul) ? withoutNul(columns) : columns;
}

/** Whether the record of a message in a mailbox names a queue as its owner. */
export function isShared(raw: string, extensionId: string): boolean {
  const { owner, extensionId: own }: Loose & { readonly owner?: unknown } = parse(raw);
  const named = idText(isJsonObject(owner) ? owner['extensionId'] : undefined) ?? idText(own);
  return named !== undefined && named !== extensionId;
}

function senderColumns(record: Loose): Pick<MessageColumns, 'fromNumber' | 'fromExtension' | 'fromName'> {
  const from = partiesIn([record.from])[0];
  return {
    fromNumber: textOf(from?.phoneNumber) ?? null,
    fromExtension: textOf(from?.extensionNumber) ?? null,
    fromName: nameOf(from) ?? null,
  };
}

function recipientColumns(record: Loose): Pick<MessageColumns, 'toNumbers' | 'toNames'> {
  const to = partiesIn(record.to);
  return {
    toNumbers: to.map((party) => textOf(party.phoneNumber) ?? textOf(party.extensionNumber) ?? '').join(' '),
    toNames: to.flatMap((party) => nameOf(party) ?? []).join(', '),
  };
}

/** A recipient of a message. */
export interface Recipient {
  readonly name?: string | undefined;
  /** Phone number, or extension number. */
  readonly number?: string | undefined;
}

/** Returns the recipients in the text of a stored record. */
export function recipientsOf(raw: string): readonly Recipient[] {
  return partiesIn(parse(raw).to).map((party) => ({
    name: nameOf(party)?.replaceAll('\0', '\uFFFD') || undefined,
    number: textOf(party.phoneNumber) ?? textOf(party.extensionNumber),
  }));
}

/**
 * Replaces U+0000, because SQLite tools and the driver of Node 20 end a text there. `raw` still contains the character
 * in escaped form.
 */
function withoutNul(columns: MessageColumns): MessageColumns {
  const whole = (text: string | null): string | null => text?.replaceAll('\0', '\uFFFD') ?? null;
  return {
    ...columns,
    subject: whole(columns.subject),
    fromName: whole(columns.fromName),
    toNames: whole(columns.toNames) ?? '',
  };
}

function listLength(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

/** Returns the time in UTC with milliseconds, so that times can be compared as text. */
function utc(text: string | undefined, at: number): string {
  return text?.length === 24 && text.endsWith('Z') ? text : new Date(at).toISOString();
}

function modifiedTime(text: string | undefined): string | null {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? null : utc(text, at);
}

/** An attachment whose content is stored in addition to the message record. */
type WantedAttachment = Omit<Attachment, 'id' | 'uri'> & { readonly id: string; readonly uri: string };

/**
 * Returns the attachments whose content is not part of the message record. The address identifies an attachment without
 * an ID.
 */
export function wantedAttachments(record: Loose): readonly WantedAttachment[] {
  if (!Array.isArray(record.attachments)) return [];
  return record.attachments
    .filter(
      (attachment: unknown): attachment is Attachment & { readonly uri: string } =>
        isJsonObject(attachment) &&
        typeof attachment['uri'] === 'string' &&
        !(attachment['type'] === 'Text' && record.subject !== undefined),
    )
    .map((attachment) => Object.assign({}, attachment, { id: String(attachment.id ?? attachment.uri) }));
}

/**
 * Long IDs lose digits as numbers. Most records also contain the exact ID in `conversation.id`, which avoids the slower
 * lossless parser.
 */
function parse(text: string): Loose {
  try {
    const quick = JSON.parse(text) as Loose;
    if (isExact(quick.id) && (quick.attachments?.every?.((attachment) => isExact(attachment?.id)) ?? true)) {
      if (isExact(quick.conversationId)) return quick;
      const exact = quick.conversation?.id;
      if (exact !== undefined && Number(exact) === quick.conversationId) {
        quick.conversationId = exact;
        return quick;
      }
    }
    return parseJson(text) as Loose;
  } catch (error) {
    throw new BadRecordError(
      `the record is not JSON: ${(error as Error).message}`,
      /"id"\s*:\s*"?(\d+)/.exec(text)?.[1],
    );
  }
}

function isExact(value: unknown): boolean {
  return typeof value !== 'number' || Number.isSafeInteger(value);
}

function idText(id: unknown): string | undefined {
  if (typeof id === 'string' && /^\w{1,40}$/.test(id)) return id;
  return typeof id === 'number' && Number.isSafeInteger(id) ? String(id) : undefined;
}

function nameOf(party: Party | undefined): string | undefined {
  return textOf(party?.name) ?? textOf(party?.contact?.name);
}

/**
 * Returns a text member of the reply; a value of another type counts as missing. Half of a surrogate pair, which JSON can
 * contain as an escape, becomes U+FFFD, because the databases store UTF-8.
 */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value.toWellFormed() : undefined;
}

function partiesIn(value: unknown): readonly Party[] {
  return Array.isArray(value) ? value.filter((party: unknown): party is Party => isJsonObject(party)) : [];
}
