import type { Message, Party } from '../../contract/message.ts';
import { isJsonObject, parseJson } from '../../platform/json.ts';

/** A deleted or purged message is its id and availability only (SYNC-12). */
export interface Tombstone {
  readonly kind: 'tombstone';
  readonly id: string;
  readonly availability: string;
}

/** A message as the columns of the mirror. */
export interface MessageColumns {
  readonly kind: 'message';
  readonly id: string;
  readonly type: string;
  readonly direction: string | null;
  readonly availability: string;
  readonly readStatus: string | null;
  readonly messageStatus: string | null;
  /** ISO 8601 in UTC. */
  readonly creationTime: string;
  /** The same in milliseconds since 1970. */
  readonly createdAt: number;
  readonly lastModifiedTime: string | null;
  readonly conversationId: string | null;
  readonly fromNumber: string | null;
  readonly fromExtension: string | null;
  readonly fromName: string | null;
  /** Numbers, or extension numbers, with a space between. */
  readonly toNumbers: string;
  readonly toNames: string;
  readonly subject: string | null;
  readonly mediaWanted: number;
  /** As it came. */
  readonly raw: string;
}

/** Why a record cannot be taken; `id` where it has one. */
export class BadRecordError extends Error {
  override readonly name = 'BadRecordError';
  readonly id: string | undefined;

  constructor(message: string, id?: string) {
    super(message);
    this.id = id;
  }
}

type Loose = Partial<Message>;

/** JSON has U+0000 in no other form. */
const escapedNul = String.raw`\u0000`;

/**
 * Reads one record of a sync, or a message of the store.
 * @throws {BadRecordError}
 */
export function readRecord(text: string): MessageColumns | Tombstone {
  const record = parse(text);
  const id = idText(record.id);
  if (id === undefined) throw new BadRecordError('a record without id');
  const availability = textOf(record.availability) ?? 'Alive';
  const type = textOf(record.type);
  if (type === undefined) {
    if (availability === 'Alive') throw new BadRecordError('a message without type', id);
    return { kind: 'tombstone', id, availability };
  }
  const creationTime = textOf(record.creationTime);
  const createdAt = Date.parse(creationTime ?? '');
  if (!(createdAt > 0)) throw new BadRecordError('a message without a valid creationTime', id);
  const columns: MessageColumns = {
    kind: 'message',
    id,
    type,
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
    raw: text,
  };
  return text.includes(escapedNul) ? withoutNul(columns) : columns;
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

/** SQLite tools, and the driver of Node 20, end a text at its first U+0000; `raw` has it escaped, as it came. */
function withoutNul(columns: MessageColumns): MessageColumns {
  const whole = (text: string | null): string | null => text?.replaceAll('\0', '\uFFFD') ?? null;
  return {
    ...columns,
    subject: whole(columns.subject),
    fromName: whole(columns.fromName),
    toNames: whole(columns.toNames) ?? '',
  };
}

/** The same moment with milliseconds and `Z`, so that texts compare as times. */
function utc(text: string | undefined, at: number): string {
  return text?.length === 24 && text.endsWith('Z') ? text : new Date(at).toISOString();
}

function modifiedTime(text: string | undefined): string | null {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? null : utc(text, at);
}

/** Attachments whose content is not in the message already. */
export function wantedAttachments(record: Loose): NonNullable<Loose['attachments']> {
  if (!Array.isArray(record.attachments)) return [];
  return record.attachments.filter(
    (attachment: unknown) =>
      isJsonObject(attachment) &&
      typeof attachment['uri'] === 'string' &&
      !(attachment['type'] === 'Text' && record.subject !== undefined),
  );
}

/** Long ids lose digits as numbers; most records name them in `conversation.id` too, which spares the slower way. */
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
    throw new BadRecordError(`not JSON: ${(error as Error).message}`, /"id"\s*:\s*"?(\d+)/.exec(text)?.[1]);
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

/** A text of the reply, whatever the types say of it: a member of another type is as good as missing. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function partiesIn(value: unknown): readonly Party[] {
  return Array.isArray(value) ? value.filter((party: unknown): party is Party => isJsonObject(party)) : [];
}
