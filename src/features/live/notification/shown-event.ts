import type { Notification } from '../../../contract/subscription.ts';
import type { StoredEvent } from '../store/stored-event.ts';

/** An event as it is shown, filtered and forwarded: the notification, and what this tool knows beside it. */
export interface ShownEvent extends Notification {
  /** The service did not deliver it: it was found by looking afterwards. */
  readonly recovered?: true;
  /** Base64 of an encrypted notification for which there is no key. */
  readonly sealed?: string;
}

/** A stored event as it is shown. `keys` decrypt what could not be read when it came. */
export function shownEvent(stored: StoredEvent, keys: readonly string[] = []): ShownEvent {
  const notification = stored.notification(keys);
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
