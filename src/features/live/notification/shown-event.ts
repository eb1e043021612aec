import type { Notification } from '../../../contract/subscription.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import { readNotification } from './notification.ts';

/** An event as it is shown, filtered and forwarded: the notification, and what this tool knows beside it. */
export interface ShownEvent extends Notification {
  /** The service did not deliver it: it was found by looking afterwards. */
  readonly recovered?: true;
  /** Base64 of an encrypted notification for which there is no key. */
  readonly sealed?: string;
}

/** Reads a stored event again. `keys` open what was still sealed when it came. */
export function shownEvent(stored: StoredEvent, keys: readonly string[] = []): ShownEvent {
  const notification = readNotification(stored.raw, keys)?.notification;
  if (!notification) {
    const sealed = stored.raw.replaceAll('"', '');
    return {
      uuid: stored.key,
      event: 'encrypted',
      timestamp: new Date(stored.receivedAt).toISOString(),
      sealed,
    };
  }
  const isFound = stored.origin === 'recovered' || stored.origin === 'gap';
  return isFound ? { ...notification, recovered: true } : notification;
}
