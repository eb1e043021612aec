import type { Attachment, Message, Party } from '../../contract/message.ts';
import { digits, flag, key, list, number, object, optional, record, text, time } from './shape.ts';

const party = object<Party>({
  phoneNumber: text,
  extensionNumber: text,
  extensionId: text,
  name: text,
  location: text,
  target: flag,
  recipientId: digits,
  messageStatus: text,
  faxErrorCode: text,
  contact: optional(object<{ name: string }>({ name: text })),
});

const attachment = object<Attachment>({
  id: digits,
  uri: text,
  type: text,
  contentType: text,
  vmDuration: number,
  fileName: text,
  size: number,
});

/** A message: its id proves that it was sent. */
export const messageShape = record<Message>(
  {
    uri: text,
    id: digits,
    extensionId: text,
    to: list(party),
    from: party,
    type: text,
    creationTime: time,
    lastModifiedTime: time,
    readStatus: text,
    priority: text,
    attachments: list(attachment),
    direction: text,
    availability: text,
    subject: text,
    messageStatus: text,
    conversationId: digits,
    conversation: optional(object<{ id: string; uri: string }>({ id: key, uri: text })),
    smsDeliveryTime: time,
    smsSendingAttemptsCount: number,
    deliveryErrorCode: text,
    faxResolution: text,
    faxPageCount: number,
    coverIndex: number,
    coverPageText: text,
    vmTranscriptionStatus: text,
    pgToDepartment: flag,
  },
  ['id'],
);
