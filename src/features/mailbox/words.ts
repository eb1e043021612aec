/** Of a message: what tells how far it got. A reply may lack both. */
export interface MessageState {
  readonly type?: string | undefined;
  readonly messageStatus?: string | undefined;
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
 * Whether the status changes no more: a text ends delivered or failed, everything else also when sent (MESSAGE-38). One that is
 * missing or not documented is not final.
 */
export function isFinal({ type, messageStatus }: MessageState): boolean {
  return messageStatus === 'Sent' ? endsSent.has(type) : finalStatuses.has(messageStatus);
}
