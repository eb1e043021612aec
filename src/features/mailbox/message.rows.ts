import type { Message, Party } from '../../contract/message.ts';
import { counted } from '../../platform/counted.ts';
import { deliveryErrorText } from '../../platform/delivery-error-text.ts';
import { hasFailed, isMissed, missedRecipients, type MessageState } from '../../platform/message-failure.ts';
import type { View } from '../../runtime/output.ts';
import { rows } from '../../runtime/rows.ts';
import { withNumber } from '../../runtime/with-number.ts';
import { lookupTable } from '../../platform/lookup-table.ts';

/** Messages of all types. The view of each type selects its columns by name. */
export const messageRows = rows(
  { of: 'Message' },
  {
    id: { title: 'ID', kind: 'id', priority: 2 },
    type: { title: 'TYPE', priority: 8 },
    direction: { title: 'DIRECTION', priority: 4 },
    messageStatus: { title: 'STATUS', kind: 'status', priority: 3, shown: statusText },
    readStatus: { title: 'READ', kind: 'status', priority: 6 },
    availability: { title: 'AVAILABILITY', priority: 1 },
    from: {
      title: 'FROM',
      kind: 'phone',
      priority: 9,
      cell: (row) => nameOf(row.from),
      shown: (row) => (row.direction === 'Outbound' ? ownText(row.from) : otherText(row.from)),
    },
    to: {
      title: 'TO',
      kind: 'phone',
      priority: 7,
      least: 30,
      below: '→ ',
      cell: (row) => row.to.map(nameOf).join(', '),
      shown: (row) => row.to.map(row.direction === 'Outbound' ? otherText : ownText).join(', '),
    },
    creationTime: { title: 'TIME', kind: 'time', priority: 8 },
    subject: { key: 'text', title: 'TEXT', priority: 9, folds: 4, below: '', shown: textOrFailure },
    attachments: { title: 'FILES', kind: 'number', priority: 1, cell: (row) => filesOf(row).length },
    faxPageCount: { title: 'PAGES', kind: 'number', priority: 5 },
    faxResolution: { title: 'RESOLUTION', priority: 1 },
    explanation: { title: 'EXPLANATION', priority: 8, folds: 3, cell: statusWords },
    seconds: { title: 'SECONDS', kind: 'number', priority: 5, cell: secondsOf },
    vmTranscriptionStatus: { key: 'transcription', title: 'TRANSCRIPTION', priority: 1 },
    // A table shows the names in the columns of the parties.
    fromName: { title: 'FROM NAME', isIncluded: true, cell: (row) => row.from.name },
    toName: {
      title: 'TO NAME',
      isIncluded: true,
      cell: (row) => row.to.map(({ name = '' }) => name).join(', '),
    },
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
    'fromName',
    'toName',
  ],
  'No messages in this time range. Use --since to look further back.',
);

const recordColumns = messageRows.pick([
  'id',
  'type',
  'from',
  'to',
  'creationTime',
  'subject',
  'direction',
  'messageStatus',
  'readStatus',
  'availability',
  'attachments',
]).columns;

/** One message on a terminal: who wrote what to whom comes first. The text is shown alone, because the status has a separate row. */
export const messageRecordView: View<Message> = {
  columns: recordColumns.map((column) => {
    if (column.key !== 'text') return column;
    const { shown: _, ...plain } = column;
    return plain;
  }),
};

/** Texts and pager messages. */
export const textView: View<Message> = messageRows.pick(
  ['id', 'messageStatus', 'direction', 'from', 'to', 'creationTime', 'subject', 'fromName', 'toName'],
  'No texts in this time range. Use --since to look further back.',
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
    'fromName',
    'toName',
  ],
  'No faxes in this time range. Use --since to look further back.',
);

/** Voicemails. */
export const voicemailView: View<Message> = messageRows.pick(
  [
    'id',
    'creationTime',
    'from',
    'to',
    'readStatus',
    'seconds',
    'vmTranscriptionStatus',
    'fromName',
    'toName',
  ],
  'No voicemails in this time range. Use --since to look further back.',
);

/** Returns the attachments that are files, without the text of the message, which the service also lists. */
export function filesOf({ attachments }: Message): Message['attachments'] {
  return attachments.filter(({ type }) => type !== 'Text');
}

function nameOf(party: Party): string {
  return party.phoneNumber ?? party.extensionNumber ?? party.name ?? '';
}

/** Returns the extension of the mailbox, with its number if the service names it. */
function ownText(party: Party): string {
  return withNumber(party.name, party.extensionNumber) || nameOf(party);
}

/** Returns the other party: an extension by name and number, another party by phone number and name. */
function otherText(party: Party): string {
  const { name, extensionNumber, phoneNumber } = party;
  if (extensionNumber !== undefined) return ownText(party);
  return withNumber(phoneNumber, name);
}

/** The status of a message, with the number of recipients that did not receive it. */
function statusText(row: Message): string | undefined {
  const missed = missedRecipients(row);
  if (missed === 0) return row.messageStatus;
  return `${row.messageStatus ?? 'unknown'} (${missed} of ${row.to.length} failed)`;
}

/**
 * The text of a message, or the size of its content. Before it, the failure, because the column of the status may be
 * hidden.
 */
function textOrFailure(row: Message): string | undefined {
  const content = row.subject || contentText(row);
  const failure = failureText(row);
  return failure === undefined ? content : [`(${failure})`, content].filter(Boolean).join(' ');
}

function failureText(row: Message): string | undefined {
  const status = row.messageStatus ?? '';
  if (hasFailed(row)) return words[status] ?? status;
  const missed = missedRecipients(row);
  return missed === 0 ? undefined : `not received by ${missed} of ${counted(row.to.length, 'recipient')}`;
}

/** The pages of a fax, or the length of a voicemail and whether its transcription exists; undefined if unknown. */
function contentText(row: Message): string | undefined {
  const { faxPageCount: pages, vmTranscriptionStatus } = row;
  if (row.type === 'Fax') return pages === undefined ? undefined : `(${counted(pages, 'page')})`;
  const seconds = secondsOf(row);
  // Some services write `Voicemail`, as in events.
  if (row.type?.toLowerCase() !== 'voicemail' || seconds === undefined) return undefined;
  const isTranscribed = vmTranscriptionStatus?.startsWith('Completed') === true;
  return `(${seconds} s of speech${isTranscribed ? ', with transcription' : ''})`;
}

function secondsOf({ attachments }: Message): number | undefined {
  return attachments.find(({ vmDuration }) => vmDuration !== undefined)?.vmDuration;
}

const words: Readonly<Record<string, string>> = lookupTable({
  Received: 'received',
  Queued: 'queued for sending',
  Sent: 'sent',
  Delivered: 'delivered to the phone',
  DeliveryFailed: 'sent, but not delivered to the phone',
  SendingFailed: 'could not be sent',
});

const faxErrors: Readonly<Record<string, string>> = lookupTable({
  AllLinesInUse: 'all lines are in use',
  NoFaxSendPermission: 'this extension may not send faxes',
  NoInternationalPermission: 'this extension may not send international faxes',
  NoFaxMachine: 'no fax machine answered',
  NoAnswer: 'nobody answered',
  LineBusy: 'the line was busy',
  CallerHungUp: 'the caller hung up',
  NotEnoughCredits: 'not enough credit',
  SentPartially: 'only some pages were delivered',
  InternationalCallingDisabled: 'international calls are disabled',
  DestinationCountryDisabled: 'calls to that country are disabled',
  UnknownCountryCode: 'the country code is unknown',
  NotAccepted: 'the recipient did not accept the fax',
  InvalidNumber: 'the number is invalid',
  CallDeclined: 'the call was declined',
  CallFailed: 'the call failed',
  RenderingFailed: 'the service could not render a document',
  TooManyPages: 'the fax has too many pages',
  WrongNumber: 'the number is wrong',
  ProhibitedNumber: 'the number is prohibited',
  InternationalDisabled: 'international calls are disabled',
});

/** Returns why a recipient did not receive a message; undefined if all recipients have the status of the message. */
function failureOf(
  { faxErrorCode, messageStatus = '' }: Party,
  message: MessageState & Pick<Message, 'to'>,
): string | undefined {
  if (faxErrorCode !== undefined) return faxErrors[faxErrorCode] ?? faxErrorCode;
  if (message.to.every((party) => party.messageStatus === message.messageStatus)) return undefined;
  return words[messageStatus] ?? messageStatus;
}

/** Returns the status of a message as text, with the reason if the service gives one. */
export function statusWords(message: MessageState & Pick<Message, 'to' | 'deliveryErrorCode'>): string {
  const { messageStatus } = message;
  const plain = messageStatus === undefined ? 'in an unknown state' : (words[messageStatus] ?? messageStatus);
  const reasons = message.to.filter(isMissed).flatMap((party) => {
    const reason = failureOf(party, message);
    return reason === undefined ? [] : [`${nameOf(party) || 'a recipient'}: ${reason}`];
  });
  if (message.deliveryErrorCode !== undefined) reasons.push(deliveryErrorText(message.deliveryErrorCode));
  return reasons.length > 0 ? `${plain}; ${reasons.join('; ')}` : plain;
}
