import type { AttachmentRow } from './attachment-store.ts';
import type { MessageRow } from './store.ts';
import { addressOf, extensionPath, mediaAddressOf } from '../request/uris.ts';
import type { World } from '../world/world.ts';

/** Returns the reply for a message. */
export function toMessage(world: World, row: MessageRow) {
  const mailbox = mailboxPath(world, row.extensionId);
  const path = messagePath(world, row);
  const conversation = row.conversationId;
  const { sendTime: _internal, ...details } = row.details;
  return {
    uri: addressOf(world, path),
    id: row.id,
    extensionId: String(row.extensionId),
    to: row.to,
    from: row.from,
    type: row.type,
    creationTime: world.clock.iso(row.creationTime),
    lastModifiedTime: world.clock.iso(row.lastModifiedTime),
    readStatus: row.readStatus,
    priority: row.priority,
    attachments: world.attachments
      .ofMessage(row.id)
      .map((attachment) => toAttachment(mediaAddressOf(world, path), attachment)),
    direction: row.direction,
    availability: row.availability,
    ...(row.subject !== null && { subject: row.subject }),
    messageStatus: row.messageStatus,
    ...(conversation !== null && {
      // Up to 19 digits, written as a bare integer in JSON without loss (MESSAGE-15).
      conversationId: BigInt(conversation),
      conversation: { id: conversation, uri: addressOf(world, `${mailbox}/conversation/${conversation}`) },
    }),
    ...(row.deliveryTime !== null && { smsDeliveryTime: world.clock.iso(row.deliveryTime) }),
    ...(row.sendingAttempts !== null && { smsSendingAttemptsCount: row.sendingAttempts }),
    ...details,
  };
}

/** Returns the reply to a request that sends a message. In dialect `current`, it does not name the mailbox (OPERATION-35). */
export function toSentMessage(world: World, row: MessageRow) {
  const { extensionId, ...message } = toMessage(world, row);
  return world.dialectName === 'current' ? message : { ...message, extensionId };
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

/** Returns the address of a message, without the origin. */
function messagePath(world: World, row: { readonly extensionId: number; readonly id: number }): string {
  return `${mailboxPath(world, row.extensionId)}/message-store/${row.id}`;
}

function mailboxPath(world: World, extensionId: number): string {
  const extension = world.extensions.byId(extensionId);
  return extension ? extensionPath(extension) : '';
}
