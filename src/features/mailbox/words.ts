import { messageTypeOf } from '../../contract/message-type.ts';

/** The members of a message that describe its delivery. Both members may be missing in a reply. */
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
/** Types without delivery reports, whose final status is `Sent`. */
const endsSent: ReadonlySet<string> = new Set(['Fax', 'Pager', 'VoiceMail']);

/**
 * Whether the status is final. A text is final when it is delivered or failed, other types are also final when they are
 * sent (MESSAGE-38). A missing or undocumented status is not final.
 */
export function isFinal({ type, messageStatus }: MessageState): boolean {
  return messageStatus === 'Sent'
    ? endsSent.has(messageTypeOf(type ?? ''))
    : finalStatuses.has(messageStatus);
}
