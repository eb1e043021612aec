import { readNotification } from '../notification/notification.ts';
import { eventSubject } from '../notification/notification.rows.ts';
import type { Notification } from '../../../contract/subscription.ts';

/** The extension of an event, whose events are delivered in order. Empty if the event has none, or is encrypted. */
export function laneOf({ event, body }: Pick<Notification, 'event' | 'body'>): string {
  const id = body?.['extensionId'];
  return typeof id === 'string' || typeof id === 'number'
    ? String(id)
    : (eventSubject(event).extensionId ?? '');
}

/** The same for the text of a notification. */
export function laneOfText(raw: string): string {
  const notification = readNotification(raw, [])?.notification;
  return notification ? laneOf(notification) : '';
}
