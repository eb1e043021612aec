import { readNotification } from '../notification/notification.ts';
import { shownEvent } from '../notification/shown-event.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import { textOf } from './dispatcher.ts';
import type { DeliveredEvent } from './target.ts';

/**
 * Returns the event that a replay delivers as this text: the stored text, or an edited one, which has the ID of its own
 * content. Undefined if the text is not a valid notification.
 */
export function replayedEvent(
  stored: StoredEvent,
  text: string,
  keys: readonly string[] = [],
): DeliveredEvent | undefined {
  const received = readNotification(text);
  if (!received?.notification) return undefined;
  const original = shownEvent(stored, keys);
  const key = text === textOf(original, stored) ? stored.key : received.key;
  return { ...received.notification, ...(original.recovered && { recovered: true }), key };
}
