import { logText } from '../calls/message-log.ts';
import { messagesChanged } from './events.ts';
import { checkStep } from './states.ts';
import type { AttachmentRow } from './attachment-store.ts';
import type { MessageDetails, MessageRow } from './store.ts';
import type { World } from '../world/world.ts';

const firstMessageId = 401_654_758_000;
/**
 * The first ID of further attachments. It is above every message ID, so that the attachment with the ID of its message
 * sorts first.
 */
const firstAttachmentId = 801_654_758_000;

/** A new message; IDs and times are added when it is stored. */
export type NewMessage = Pick<
  MessageRow,
  'extensionId' | 'type' | 'direction' | 'messageStatus' | 'from' | 'to' | 'subject' | 'conversationId'
> & { readonly details?: MessageDetails };

export interface NewAttachment
  extends
    Pick<AttachmentRow, 'type' | 'contentType' | 'fileName'>,
    Partial<Pick<AttachmentRow, 'vmDuration'>> {
  readonly content: Uint8Array;
}

/**
 * Stores a message and notifies the subscribers of the mailbox. Without attachments, the text becomes the attachment.
 * The first attachment has the ID of the message (VOICEMAIL-2). If the mailbox is full, its oldest message of the same
 * type is deleted.
 */
export function addMessage(
  world: World,
  message: NewMessage,
  attachments: readonly NewAttachment[] = [textAttachment(message.subject ?? '')],
): MessageRow {
  return addMessageWithId(world, newMessageId(world), message, attachments);
}

/** Reserves the ID of a message before it is stored. */
export function newMessageId(world: World): number {
  return world.nextId('message', firstMessageId);
}

/** Like `addMessage`, but for a reserved ID. */
export function addMessageWithId(
  world: World,
  id: number,
  message: NewMessage,
  attachments: readonly NewAttachment[] = [textAttachment(message.subject ?? '')],
): MessageRow {
  const now = world.clock.now();
  makeRoom(world, message);
  const row = world.messages.add({
    ...message,
    id,
    availability: 'Alive',
    readStatus: message.direction === 'Inbound' ? 'Unread' : 'Read',
    priority: 'Normal',
    creationTime: now,
    lastModifiedTime: now,
    deliveryTime: null,
    sendingAttempts: message.direction === 'Outbound' && message.type === 'SMS' ? 1 : null,
    details: message.details ?? {},
  });
  for (const [index, { content, ...attachment }] of attachments.entries()) {
    const attachmentId = index === 0 ? id : world.nextId('attachment', firstAttachmentId);
    world.attachments.add({ vmDuration: null, ...attachment, id: attachmentId, messageId: id }, content);
  }
  if (row.type === 'SMS' && row.direction === 'Inbound') logText(world, row);
  messagesChanged(world, [row], 'new');
  return row;
}

/** Returns the text of a message as its attachment. */
export function textAttachment(text: string): NewAttachment {
  return {
    type: 'Text',
    contentType: 'text/plain',
    fileName: null,
    content: new TextEncoder().encode(text),
  };
}

/** Above the maximum of a mailbox, the service deletes the oldest messages (MESSAGE-29). */
function makeRoom(world: World, { extensionId, type, direction }: NewMessage): void {
  const { mailboxMessages, unreadMessages } = world.settings;
  const isFull = world.messages.alive(extensionId, type) >= mailboxMessages;
  const oldest = isFull ? world.messages.oldest(extensionId, type) : undefined;
  if (oldest) return deleteMessages(world, [oldest]);
  // The maximum number of unread voicemails and faxes is lower (MESSAGE-31).
  if (direction !== 'Inbound' || !['VoiceMail', 'Fax'].includes(type)) return;
  const displaced = world.messages.unreadAt(extensionId, type, unreadMessages);
  if (displaced) deleteMessages(world, [displaced]);
}

/** Stores changes of a message without publishing an event. */
function saveChange(world: World, row: MessageRow, changes: Partial<MessageRow>): MessageRow {
  const changed = { ...row, ...changes, lastModifiedTime: world.clock.now() };
  checkStep(row, changed);
  return world.messages.save(row, changed);
}

/** Changes a message and notifies the subscribers of the mailbox. */
export function changeMessage(world: World, row: MessageRow, changes: Partial<MessageRow>): MessageRow {
  const changed = saveChange(world, row, changes);
  messagesChanged(world, [changed], 'updated');
  return changed;
}

/** Changes messages of one mailbox from Alive to Deleted. Cancels a scheduled fax. */
export function deleteMessages(world: World, rows: readonly MessageRow[]): void {
  const due = world.clock.now() + world.settings.deletedSeconds * 1000;
  const changed = rows.map((row) => {
    world.timers.set('message.purge', row.id, due);
    world.timers.cancel('fax.sent', row.id);
    return saveChange(world, row, { availability: 'Deleted' });
  });
  if (changed.length > 0) messagesChanged(world, changed, 'updated');
}

/** Purges messages of one mailbox: attachments are deleted, ID and availability are retained for a time. */
export function purgeMessages(world: World, rows: readonly MessageRow[]): void {
  const due = world.clock.now() + world.settings.purgedSeconds * 1000;
  const changed = rows.map((row) => {
    world.timers.cancel('message.purge', row.id);
    world.timers.cancel('fax.sent', row.id);
    world.timers.cancel('fax.old', row.id);
    world.timers.set('message.remove', row.id, due);
    world.attachments.erase(row.id);
    return saveChange(world, row, { availability: 'Purged' });
  });
  if (changed.length > 0) messagesChanged(world, changed, 'updated');
}

/** Restores a deleted message and cancels its purge. */
export function restoreMessage(world: World, row: MessageRow, changes: Partial<MessageRow>): MessageRow {
  world.timers.cancel('message.purge', row.id);
  return changeMessage(world, row, { ...changes, availability: 'Alive' });
}
