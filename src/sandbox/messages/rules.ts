import { logText } from '../calls/message-log.ts';
import { messagesChanged } from './events.ts';
import { checkStep } from './states.ts';
import type { AttachmentRow } from './attachment-store.ts';
import type { MessageDetails, MessageRow } from './store.ts';
import type { World } from '../world/world.ts';

const firstMessageId = 401_654_758_000;
/** Beyond every message id, so that the attachment with the id of its message comes first. */
const firstAttachmentId = 801_654_758_000;

/** A message to be stored; the rest follows from the moment. */
export type NewMessage = Pick<
  MessageRow,
  'extensionId' | 'type' | 'direction' | 'messageStatus' | 'from' | 'to' | 'subject' | 'conversationId'
> & { readonly details?: MessageDetails };

/** Something that hangs on a new message. */
export interface NewAttachment
  extends
    Pick<AttachmentRow, 'type' | 'contentType' | 'fileName'>,
    Partial<Pick<AttachmentRow, 'vmDuration'>> {
  readonly content: Uint8Array;
}

/**
 * Stores a message and tells the mailbox's subscribers. Its text is its attachment unless others are given; the first has the id of the
 * message (VOICEMAIL-2). A full mailbox loses its oldest message of the same type.
 */
export function addMessage(
  world: World,
  message: NewMessage,
  attachments: readonly NewAttachment[] = [textAttachment(message.subject ?? '')],
): MessageRow {
  return addMessageWithId(world, newMessageId(world), message, attachments);
}

/** An id for a message that must be known before it is stored. */
export function newMessageId(world: World): number {
  return world.nextId('message', firstMessageId);
}

/** As addMessage, with an id of newMessageId. */
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

/** The text of a message as something that hangs on it. */
export function textAttachment(text: string): NewAttachment {
  return {
    type: 'Text',
    contentType: 'text/plain',
    fileName: null,
    content: new TextEncoder().encode(text),
  };
}

/** Beyond the maximum of a mailbox the service deletes the oldest messages (MESSAGE-29). */
function makeRoom(world: World, { extensionId, type, direction }: NewMessage): void {
  const { mailboxMessages, unreadMessages } = world.settings;
  const isFull = world.messages.alive(extensionId, type) >= mailboxMessages;
  const oldest = isFull ? world.messages.oldest(extensionId, type) : undefined;
  if (oldest) return deleteMessages(world, [oldest]);
  // The maximum of unread voicemails and faxes is lower (MESSAGE-31).
  if (direction !== 'Inbound' || !['VoiceMail', 'Fax'].includes(type)) return;
  const displaced = world.messages.unreadAt(extensionId, type, unreadMessages);
  if (displaced) deleteMessages(world, [displaced]);
}

/** Writes changes of a message; nobody is told yet. */
function saveChange(world: World, row: MessageRow, changes: Partial<MessageRow>): MessageRow {
  const changed = { ...row, ...changes, lastModifiedTime: world.clock.now() };
  checkStep(row, changed);
  return world.messages.save(row, changed);
}

/** Changes a message and tells the mailbox's subscribers. */
export function changeMessage(world: World, row: MessageRow, changes: Partial<MessageRow>): MessageRow {
  const changed = saveChange(world, row, changes);
  messagesChanged(world, [changed], 'updated');
  return changed;
}

/** Alive to Deleted. All messages are of one mailbox. A scheduled fax is cancelled by it. */
export function deleteMessages(world: World, rows: readonly MessageRow[]): void {
  const due = world.clock.now() + world.settings.deletedSeconds * 1000;
  const changed = rows.map((row) => {
    world.timers.set('message.purge', row.id, due);
    world.timers.cancel('fax.sent', row.id);
    return saveChange(world, row, { availability: 'Deleted' });
  });
  if (changed.length > 0) messagesChanged(world, changed, 'updated');
}

/** To Purged: the attachments are gone, id and availability stay for a while. All messages are of one mailbox. */
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

/** Deleted to Alive. */
export function restoreMessage(world: World, row: MessageRow, changes: Partial<MessageRow>): MessageRow {
  world.timers.cancel('message.purge', row.id);
  return changeMessage(world, row, { ...changes, availability: 'Alive' });
}
