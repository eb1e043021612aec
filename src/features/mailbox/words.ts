import type { Message } from '../../contract/message.ts';

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

/** Of a message: what tells how far it got. A reply may lack both. */
export interface MessageState {
  readonly type?: string | undefined;
  readonly messageStatus?: string | undefined;
}

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

const finalStatuses: ReadonlySet<string | undefined> = new Set([
  'Received',
  'Delivered',
  'DeliveryFailed',
  'SendingFailed',
]);
/** Types of which no delivery is reported. */
const endsSent: ReadonlySet<string | undefined> = new Set(['Fax', 'Pager', 'VoiceMail']);

/**
 * Whether the status changes no more: a text ends delivered or failed, everything else also when sent (specification, messageStatus values). One that is
 * missing or not documented is not final.
 */
export function isFinal({ type, messageStatus }: MessageState): boolean {
  return messageStatus === 'Sent' ? endsSent.has(type) : finalStatuses.has(messageStatus);
}
