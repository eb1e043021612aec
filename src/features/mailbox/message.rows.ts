import type { Message, Party } from '../../contract/message.ts';
import type { View } from '../../runtime/output.ts';
import { rows } from '../../runtime/rows.ts';
import type { MessageState } from './words.ts';

/** Messages of all types. Each type has a view of its own: a column belongs to those that name it. */
export const messageRows = rows(
  { of: 'Message' },
  {
    id: { title: 'ID', kind: 'id', priority: 9 },
    type: { title: 'TYPE', priority: 5 },
    direction: { title: 'DIRECTION', priority: 2 },
    messageStatus: { title: 'STATUS', kind: 'status', priority: 5 },
    readStatus: { title: 'READ', kind: 'status', priority: 3 },
    availability: { title: 'AVAILABILITY', priority: 1 },
    from: { title: 'FROM', kind: 'phone', priority: 8, cell: (row) => nameOf(row.from) },
    to: { title: 'TO', kind: 'phone', priority: 6, cell: (row) => row.to.map(nameOf).join(', ') },
    creationTime: { title: 'CREATED', kind: 'time', priority: 6 },
    subject: { key: 'text', title: 'TEXT', priority: 8 },
    attachments: { title: 'FILES', kind: 'number', priority: 1, cell: (row) => row.attachments.length },
    faxPageCount: { title: 'PAGES', kind: 'number', priority: 5 },
    faxResolution: { title: 'RESOLUTION', priority: 1 },
    explanation: { title: 'EXPLANATION', priority: 4, cell: statusWords },
    seconds: { title: 'SECONDS', kind: 'number', priority: 5, cell: secondsOf },
    vmTranscriptionStatus: { key: 'transcription', title: 'TRANSCRIPTION', priority: 1 },
  },
);

/** Messages of any type. */
export const messageView: View<Message> = messageRows.pick(
  [
    'id',
    'type',
    'direction',
    'messageStatus',
    'readStatus',
    'availability',
    'from',
    'to',
    'creationTime',
    'subject',
    'attachments',
  ],
  'No messages; --since looks further back than a day.',
);

/** Texts and pages. */
export const textView: View<Message> = messageRows.pick(
  ['id', 'messageStatus', 'direction', 'from', 'to', 'creationTime', 'subject'],
  'No texts; --since looks further back than a day.',
);

/** Faxes. */
export const faxView: View<Message> = messageRows.pick(
  [
    'id',
    'messageStatus',
    'direction',
    'from',
    'to',
    'faxPageCount',
    'faxResolution',
    'creationTime',
    'explanation',
  ],
  'No faxes; --since looks further back than a day.',
);

/** Voicemails. */
export const voicemailView: View<Message> = messageRows.pick(
  ['id', 'readStatus', 'from', 'seconds', 'creationTime', 'vmTranscriptionStatus'],
  'No voicemails; --since looks further back than a day.',
);

function nameOf(party: Party): string {
  return party.phoneNumber ?? party.extensionNumber ?? party.name ?? '';
}

function secondsOf({ attachments }: Message): number | undefined {
  return attachments.find(({ vmDuration }) => vmDuration !== undefined)?.vmDuration;
}

const words: Readonly<Record<string, string>> = {
  Received: 'received',
  Queued: 'queued for sending',
  Sent: 'sent',
  Delivered: 'delivered to the handset',
  DeliveryFailed: 'sent, but not delivered to the handset',
  SendingFailed: 'could not be sent',
};

const faxTroubles: Readonly<Record<string, string>> = {
  AllLinesInUse: 'all lines are in use',
  NoFaxSendPermission: 'this extension may not send faxes',
  NoInternationalPermission: 'this extension may not send faxes abroad',
  NoFaxMachine: 'no fax machine answered',
  NoAnswer: 'nobody answered',
  LineBusy: 'the line was busy',
  CallerHungUp: 'the call was ended',
  NotEnoughCredits: 'the credit does not suffice',
  SentPartially: 'only some pages arrived',
  InternationalCallingDisabled: 'calls abroad are disabled',
  DestinationCountryDisabled: 'that country is disabled',
  UnknownCountryCode: 'the country code is unknown',
  NotAccepted: 'the other side did not accept it',
  InvalidNumber: 'the number is invalid',
  CallDeclined: 'the call was declined',
  CallFailed: 'the call failed',
  RenderingFailed: 'a document could not be rendered',
  TooManyPages: 'it has too many pages',
  WrongNumber: 'the number is wrong',
  ProhibitedNumber: 'the number is prohibited',
  InternationalDisabled: 'calls abroad are disabled',
};

/** What the status of a message says, with the reason where the service tells one. */
export function statusWords(message: MessageState & Pick<Message, 'to' | 'deliveryErrorCode'>): string {
  const { messageStatus } = message;
  const plain = messageStatus === undefined ? 'of unknown status' : (words[messageStatus] ?? messageStatus);
  const reasons = message.to.flatMap(({ phoneNumber, faxErrorCode }) =>
    faxErrorCode === undefined
      ? []
      : [`${phoneNumber ?? 'a receiver'}: ${faxTroubles[faxErrorCode] ?? faxErrorCode}`],
  );
  if (message.deliveryErrorCode !== undefined) reasons.push(`the carrier says ${message.deliveryErrorCode}`);
  return reasons.length > 0 ? `${plain}; ${reasons.join('; ')}` : plain;
}
