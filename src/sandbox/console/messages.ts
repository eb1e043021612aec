import type { Party } from '../../contract/message.ts';
import type { AttachmentRow } from '../messages/attachment-store.ts';
import type { MessageRow } from '../messages/store.ts';
import type { World } from '../world/world.ts';
import type { ListFilter } from './store.ts';
import type { AttachmentView, ConversationView, MessageView, Page, ThreadView } from './types.ts';

/**
 * Numbers of the newest matching messages from which the list of conversations is made: the second number if the first
 * has too few conversations.
 */
const listed = [500, 2000] as const;
/** Number of the newest messages of a mailbox that are searched for the messages of one conversation. */
const mostExamined = 5000;

/** Returns the conversations of all mailboxes or of one, with the latest message first. */
export function listThreads(
  world: World,
  extensionId: number | undefined,
  filter: ListFilter,
  limit: number,
): Page<ThreadView> {
  let threads: ReadonlyMap<string, MessageRow[]> = new Map();
  for (const most of listed) {
    const rows = world.console.messages(extensionId, filter, most);
    threads = threadsOf(rows);
    if (threads.size >= limit || rows.length < most) break;
  }
  const records = [...threads.values()].slice(0, limit).map((rows) => toThread(world, rows));
  return { records, total: threads.size };
}

/** Groups messages by mailbox and conversation, in the order of their first message. */
function threadsOf(rows: readonly MessageRow[]): ReadonlyMap<string, MessageRow[]> {
  const threads = new Map<string, MessageRow[]>();
  for (const row of rows) {
    const key = `${row.extensionId} ${keyOf(row)}`;
    const known = threads.get(key);
    if (known) known.push(row);
    else threads.set(key, [row]);
  }
  return threads;
}

function toThread(world: World, rows: readonly MessageRow[]): ThreadView {
  const [last] = rows as readonly [MessageRow, ...MessageRow[]];
  const owner = world.extensions.byId(last.extensionId);
  return {
    key: keyOf(last),
    extensionId: String(last.extensionId),
    owner: owner?.name ?? '',
    ownerNumber: owner?.extensionNumber ?? '',
    ...peerOf(last),
    unread: rows.filter(({ direction, readStatus }) => direction === 'Inbound' && readStatus === 'Unread')
      .length,
    last: toView(world, last),
  };
}

/** Returns the latest messages of one conversation, oldest first. A conversation without messages is empty. */
export function readConversation(
  world: World,
  extensionId: number,
  key: string,
  limit: number,
): ConversationView {
  const owner = world.extensions.byId(extensionId);
  const rows = world.console
    .messages(extensionId, {}, mostExamined)
    .filter((row) => keyOf(row) === key)
    .slice(0, limit);
  const [last] = rows;
  const own = last && (last.direction === 'Inbound' ? last.to[0] : last.from)?.phoneNumber;
  return {
    owner: owner?.name ?? '',
    ownerNumber: owner?.extensionNumber ?? '',
    ...(own !== undefined && { ownPhoneNumber: own }),
    ...(last && peerOf(last)),
    messages: rows.toReversed().map((row) => toView(world, row)),
  };
}

/** A conversation is with one number, or for pager messages with one group of extensions. */
function keyOf(row: MessageRow): string {
  if (row.type === 'Pager') return `pager:${row.conversationId}`;
  const { phoneNumber, extensionNumber, name } = otherParty(row);
  return phoneNumber ?? extensionNumber ?? name ?? 'unknown';
}

function otherParty(row: MessageRow): Party {
  return (row.direction === 'Inbound' ? row.from : row.to[0]) ?? {};
}

function peerOf(row: MessageRow): { readonly peerName?: string; readonly peerNumber?: string } {
  const { name, phoneNumber, extensionNumber } = otherParty(row);
  const peerNumber = phoneNumber ?? extensionNumber;
  return { ...(name !== undefined && { peerName: name }), ...(peerNumber !== undefined && { peerNumber }) };
}

function toView(world: World, row: MessageRow): MessageView {
  const { faxPageCount, deliveryErrorCode } = row.details;
  const attachments = world.attachments.ofMessage(row.id);
  const errorCode = deliveryErrorCode ?? row.to.find((party) => party.faxErrorCode)?.faxErrorCode;
  return {
    id: String(row.id),
    time: world.clock.iso(row.creationTime),
    type: row.type,
    direction: row.direction,
    status: row.messageStatus,
    readStatus: row.readStatus,
    ...textOf(world, row, attachments),
    ...(faxPageCount !== undefined && { pages: faxPageCount }),
    ...(errorCode !== undefined && { errorCode }),
    attachments: attachments
      .filter(({ type }) => type !== 'Text' && type !== transcription)
      .map(toAttachment),
  };
}

const transcription = 'AudioTranscription';

/** Returns the text of a message, or the transcription of a voicemail. */
function textOf(
  world: World,
  row: MessageRow,
  attachments: readonly AttachmentRow[],
): { readonly text?: string } {
  const spoken = attachments.find(({ type }) => type === transcription);
  if (spoken) return { text: new TextDecoder().decode(world.attachments.content(spoken.id)) };
  return row.subject === null ? {} : { text: row.subject };
}

function toAttachment(row: AttachmentRow): AttachmentView {
  return {
    id: String(row.id),
    contentType: row.contentType,
    ...(row.fileName !== null && { fileName: row.fileName }),
    size: row.size,
    ...(row.vmDuration !== null && { seconds: row.vmDuration }),
    path: `/sandbox/v1/messages/${row.messageId}/content/${row.id}`,
  };
}
