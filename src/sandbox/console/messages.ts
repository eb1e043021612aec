import type { Party } from '../../contract/message.ts';
import type { AttachmentRow } from '../messages/attachment-store.ts';
import type { MessageRow } from '../messages/store.ts';
import type { World } from '../world/world.ts';
import { mostMessages, type ConversationRow } from './store.ts';
import type { AttachmentView, ConversationView, MessageView, ThreadPage, ThreadView } from './types.ts';

/** Returns the conversations of all mailboxes or of one, with the latest message first. */
export function listThreads(
  world: World,
  extensionId: number | undefined,
  search: string | undefined,
  limit: number,
): ThreadPage {
  const rows = world.console.conversations({ extensionId, search: search?.trim() }, limit);
  const [first] = rows;
  return {
    records: rows.flatMap((row) => {
      const last = world.messages.byId(row.last);
      return last ? [toThread(world, row, last)] : [];
    }),
    total: first?.conversations ?? 0,
    hasOlder: (first?.messages ?? 0) >= mostMessages,
  };
}

function toThread(world: World, { key, extensionId, unread }: ConversationRow, last: MessageRow): ThreadView {
  const owner = world.extensions.byId(extensionId);
  return {
    key,
    extensionId: String(extensionId),
    owner: owner?.name ?? '',
    ownerNumber: owner?.extensionNumber ?? '',
    ...peerOf(last),
    unread,
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
  const rows = world.console.conversation(extensionId, key, limit);
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

/** Returns the name and number of the other party. Several recipients have one name, which lists them all. */
function peerOf({ direction, from, to }: MessageRow): Pick<ThreadView, 'peerName' | 'peerNumber'> {
  // The sender of a pager message is also one of its recipients.
  const isOther = (party: Party): boolean =>
    party.extensionId === undefined || party.extensionId !== from.extensionId;
  const [party = {}, ...more] = direction === 'Inbound' ? [from] : to.filter(isOther);
  if (more.length > 0)
    return { peerName: [party, ...more].map(partyText).join(', '), ...numberOf(party.phoneNumber) };
  return {
    ...(party.name !== undefined && { peerName: party.name }),
    ...numberOf(party.phoneNumber ?? party.extensionNumber),
  };
}

function numberOf(peerNumber: string | undefined): Pick<ThreadView, 'peerNumber'> {
  return peerNumber === undefined ? {} : { peerNumber };
}

function partyText({ name, phoneNumber, extensionNumber }: Party): string {
  return name ?? phoneNumber ?? extensionNumber ?? 'Unknown';
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
