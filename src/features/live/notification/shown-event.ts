import type { Notification } from '../../../contract/subscription.ts';
import { recoveredOrigins, type StoredEvent } from '../store/stored-event.ts';

/** A notification with the additions of ucctl, in the form that is shown, filtered and forwarded. */
export interface ShownEvent extends Notification {
  /** Set if ucctl recovered the event, because the service did not deliver it. */
  readonly recovered?: true;
  /** The encrypted body as base64, if its key is unknown. */
  readonly encryptedBody?: string;
}

/**
 * Converts a stored event to the form that is shown. `keys` decrypt a notification that could not be read when it
 * arrived.
 */
export function shownEvent(stored: StoredEvent, keys: readonly string[] = []): ShownEvent {
  const notification = stored.notification(keys);
  if (!notification) {
    const encryptedBody = stored.raw.replaceAll('"', '');
    return {
      uuid: stored.key,
      event: 'encrypted',
      timestamp: new Date(stored.receivedAt).toISOString(),
      encryptedBody,
    };
  }
  return recoveredOrigins.includes(stored.origin) ? { ...notification, recovered: true } : notification;
}
