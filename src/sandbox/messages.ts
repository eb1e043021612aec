import { messagesChanged } from './events/emit.ts';
import type { AttachmentRow, MessageRow } from './store/messages.ts';
import { extensionPath } from './uris.ts';
import type { World } from './world.ts';

const FIRST_MESSAGE_ID = 401_654_758_000;

/** A message to be stored; the rest follows from the moment. */
export type NewMessage = Pick<
  MessageRow,
  'extensionId' | 'type' | 'direction' | 'messageStatus' | 'from' | 'to' | 'subject' | 'conversationId'
>;

/** Stores a message with its text as attachment, and tells the mailbox's subscribers. */
export function addMessage(world: World, message: NewMessage): MessageRow {
  const now = world.clock.now();
  const id = world.nextId('message', FIRST_MESSAGE_ID);
  const row: MessageRow = {
    ...message,
    id,
    availability: 'Alive',
    readStatus: message.direction === 'Inbound' ? 'Unread' : 'Read',
    priority: 'Normal',
    creationTime: now,
    lastModifiedTime: now,
    deliveryTime: null,
    sendingAttempts: message.direction === 'Outbound' ? 1 : null,
  };
  world.messages.add(row);
  // An attachment of one part has its message's id (facts 1.1, voicemail).
  const attachment = {
    id,
    messageId: id,
    type: 'Text',
    contentType: 'text/plain',
    fileName: null,
    vmDuration: null,
  };
  world.messages.attach(attachment, new TextEncoder().encode(message.subject ?? ''));
  messagesChanged(world, row, 'new', () => toMessage(world, row));
  return row;
}

/** Moves an outbound message on, and tells the mailbox's subscribers. */
export function moveMessage(
  world: World,
  row: MessageRow,
  messageStatus: string,
  deliveryTime?: number,
): void {
  const moved: MessageRow = {
    ...row,
    messageStatus,
    lastModifiedTime: world.clock.now(),
    deliveryTime: deliveryTime ?? row.deliveryTime,
  };
  world.messages.saveStatus(moved);
  messagesChanged(world, moved, 'updated', () => toMessage(world, moved));
}

/** The message as the service answers it. */
export function toMessage(world: World, row: MessageRow) {
  const mailbox = mailboxUri(world, row.extensionId);
  const uri = `${mailbox}/message-store/${row.id}`;
  const conversation = row.conversationId;
  return {
    uri,
    id: row.id,
    extensionId: String(row.extensionId),
    to: row.to,
    from: row.from,
    type: row.type,
    creationTime: world.clock.iso(row.creationTime),
    lastModifiedTime: world.clock.iso(row.lastModifiedTime),
    readStatus: row.readStatus,
    priority: row.priority,
    attachments: world.messages.attachments(row.id).map((attachment) => toAttachment(uri, attachment)),
    direction: row.direction,
    availability: row.availability,
    ...(row.subject !== null && { subject: row.subject }),
    messageStatus: row.messageStatus,
    ...(conversation !== null && {
      // 19 digits: a bare integer on the wire, as the specification says, with all of them.
      conversationId: BigInt(conversation),
      conversation: { id: conversation, uri: `${mailbox}/conversation/${conversation}` },
    }),
    ...(row.deliveryTime !== null && { smsDeliveryTime: world.clock.iso(row.deliveryTime) }),
    ...(row.sendingAttempts !== null && { smsSendingAttemptsCount: row.sendingAttempts }),
  };
}

function toAttachment(messageUri: string, row: AttachmentRow) {
  return {
    id: row.id,
    uri: `${messageUri}/content/${row.id}`,
    type: row.type,
    contentType: row.contentType,
    ...(row.fileName !== null && { fileName: row.fileName }),
    ...(row.vmDuration !== null && { vmDuration: row.vmDuration }),
    size: row.size,
  };
}

function mailboxUri(world: World, extensionId: number): string {
  const extension = world.extensions.byId(extensionId);
  return extension ? world.baseUrl + extensionPath(extension) : world.baseUrl;
}
