import type { SyncInfo, SyncReply } from '../../contract/message-store.ts';
import type { Attachment, Message, Party } from '../../contract/message.ts';
import { isJsonObject } from '../../platform/json.ts';
import {
  digits,
  flag,
  key,
  list,
  number,
  object,
  optional,
  listOf,
  record,
  text,
  time,
  type ReplyShape,
  word,
} from './shape.ts';

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
  width: number,
  height: number,
});

/** A message. Its ID proves that the service sent the message. */
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
    segmentCount: number,
    faxResolution: text,
    faxPageCount: number,
    coverIndex: number,
    coverPageText: text,
    vmTranscriptionStatus: text,
    pgToDepartment: flag,
    vmSideRecipients: optional(list(party)),
  },
  ['id'],
);

/** The reply to a fax, whose documents have a `filename` (FAX-13). The program reads `fileName`, as in all other replies. */
export const sentFaxShape: ReplyShape = {
  ...messageShape,
  correct: (value) => {
    if (isJsonObject(value) && Array.isArray(value['attachments']))
      for (const one of value['attachments']) if (isJsonObject(one)) renameFile(one);
    messageShape.correct(value);
  },
};

function renameFile(document: Record<string, unknown>): void {
  if (!('filename' in document)) return;
  document['fileName'] ??= document['filename'];
  delete document['filename'];
}

const syncInfoShape = record<SyncInfo>(
  { syncType: text, syncToken: word, syncTime: time, olderRecordsExist: flag },
  ['syncToken'],
);
const messages = listOf(messageShape);

/** A message sync: each record needs an id, and the next sync needs the token. */
export const messageSyncShape: ReplyShape = {
  problem: (value) =>
    messages.problem(value) ?? (isJsonObject(value) ? syncInfoShape.problem(value['syncInfo']) : undefined),
  correct: (value) => {
    messages.correct(value);
    syncInfoShape.correct((value as SyncReply).syncInfo);
  },
};
