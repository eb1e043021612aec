/** Statuses of a message that was not sent or not delivered. */
const failedStatuses: ReadonlySet<string | undefined> = new Set(['SendingFailed', 'DeliveryFailed']);

const finalStatuses: ReadonlySet<string | undefined> = new Set(['Received', 'Delivered', ...failedStatuses]);
/** Types without delivery reports, whose final status is `Sent`. In lower case, because events contain `Voicemail`. */
const endsSent: ReadonlySet<string | undefined> = new Set(['fax', 'pager', 'voicemail']);

/** The members of a message that describe its delivery. Both members may be missing in a reply. */
export interface MessageState {
  readonly type?: string | undefined;
  readonly messageStatus?: string | undefined;
}

/** A message, or one of its recipients. */
interface Delivery {
  readonly messageStatus?: string | undefined;
  readonly faxErrorCode?: string | undefined;
}

/**
 * Whether the status is final. A text is final when it is delivered or failed, other types are also final when they are
 * sent (MESSAGE-38). A missing or undocumented status is not final.
 */
export function isFinal({ type, messageStatus }: MessageState): boolean {
  return messageStatus === 'Sent' ? endsSent.has(type?.toLowerCase()) : finalStatuses.has(messageStatus);
}

/** Whether the status of a message, or of one of its recipients, is that of a failure. */
export function hasFailed({ messageStatus }: Delivery): boolean {
  return failedStatuses.has(messageStatus);
}

/** Whether a recipient did not receive a message. The error code of a fax is optional (FAX-10). */
export function isMissed({ faxErrorCode, messageStatus }: Delivery): boolean {
  return faxErrorCode !== undefined || hasFailed({ messageStatus });
}

/**
 * Returns the number of recipients that did not receive a message although the message itself has not failed. Before the
 * final status, the service may send a fax again to a recipient with an error code, so that only a failed status counts.
 */
export function missedRecipients(message: MessageState & { readonly to: readonly Delivery[] }): number {
  return hasFailed(message) ? 0 : message.to.filter(isFinal(message) ? isMissed : hasFailed).length;
}
