import { address, flag, id, integer, list, moment, record, text, words } from '../shape.ts';

const messageStatus = words('Queued', 'Sent', 'Delivered', 'DeliveryFailed', 'SendingFailed', 'Received');

const party = record({
  phoneNumber: text,
  extensionNumber: text,
  extensionId: id,
  name: text,
  location: text,
  target: flag,
  messageStatus,
  faxErrorCode: words('AllLinesInUse', 'Undefined', 'NoAnswer', 'LineBusy', 'InvalidNumber'),
  recipientId: id,
});

const attachment = record({
  id,
  uri: address,
  type: words(
    'AudioRecording',
    'AudioTranscription',
    'Text',
    'SourceDocument',
    'RenderedDocument',
    'MmsAttachment',
  ),
  contentType: words('text/plain', 'audio/x-wav', 'application/pdf', 'image/png'),
  vmDuration: integer,
  fileName: text,
  size: integer,
  height: integer,
  width: integer,
});

/** Message of any kind: `id` identifies it, and proves that it was sent. */
export const message = record(
  {
    uri: address,
    id,
    extensionId: id,
    to: list(party),
    from: party,
    type: words('Fax', 'SMS', 'VoiceMail', 'Pager', 'Text'),
    creationTime: moment,
    lastModifiedTime: moment,
    readStatus: words('Read', 'Unread'),
    priority: words('Normal', 'High'),
    attachments: list(attachment),
    direction: words('Inbound', 'Outbound'),
    availability: words('Alive', 'Deleted', 'Purged'),
    subject: text,
    messageStatus,
    conversationId: id,
    conversation: record({ id, uri: address }),
    smsDeliveryTime: moment,
    smsSendingAttemptsCount: integer,
    deliveryErrorCode: words('SMS-RC-413', 'SMS-UP-430', 'SMS-CAR-411'),
    segmentCount: integer,
    faxResolution: words('High', 'Low'),
    faxPageCount: integer,
    coverIndex: integer,
    coverPageText: text,
    vmTranscriptionStatus: words('NotAvailable', 'InProgress', 'Completed', 'Failed'),
    pgToDepartment: flag,
    owner: record({ name: text, extensionType: text, extensionId: id }),
    private: flag,
  },
  'id',
);

/** The reply to a fax, in which the name of a document is `filename` instead of `fileName`. */
export const sentFax = record(
  {
    ...message.members,
    attachments: list(
      record({
        id,
        uri: address,
        type: words('SourceDocument', 'RenderedDocument'),
        contentType: words('application/pdf'),
        filename: text,
        size: integer,
      }),
    ),
  },
  'id',
);

/** A deleted message in an incremental sync. */
export const tombstone = record({ id, availability: words('Deleted', 'Purged') }, 'id');

/** The state from which the next sync continues; there is none without the token. */
export const syncInfo = record(
  { syncType: words('FSync', 'ISync'), syncToken: text, syncTime: moment, olderRecordsExist: flag },
  'syncToken',
);
