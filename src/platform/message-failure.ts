/** Statuses of a message that was not sent or not delivered. */
const failedStatuses: ReadonlySet<string | undefined> = new Set(['SendingFailed', 'DeliveryFailed']);

/** A message, or one of its recipients. */
interface Delivery {
  readonly messageStatus?: string | undefined;
  readonly faxErrorCode?: string | undefined;
}

/** Whether the status of a message, or of one of its recipients, is that of a failure. */
export function hasFailed({ messageStatus }: Delivery): boolean {
  return failedStatuses.has(messageStatus);
}

/** Whether a recipient did not receive a message. The error code of a fax is optional (FAX-10). */
export function isMissed({ faxErrorCode, messageStatus }: Delivery): boolean {
  return faxErrorCode !== undefined || hasFailed({ messageStatus });
}
