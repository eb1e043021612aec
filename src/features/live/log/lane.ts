import { readNotification } from '../notification/notification.ts';
import { eventSubject } from '../notification/notification.rows.ts';
import type { Notification } from '../../../contract/subscription.ts';

/**
 * Returns the extension of an event. Events of an extension are delivered in order. Empty if the event has no
 * extension, or is encrypted.
 */
export function laneOf({ event, body }: Pick<Notification, 'event' | 'body'>): string {
  const id = body?.['extensionId'];
  return typeof id === 'string' || typeof id === 'number'
    ? String(id)
    : (eventSubject(event).extensionId ?? '');
}

/** The extension and the short name of the text of a notification; both empty if it cannot be read. */
export function subjectOfText(raw: string): { readonly lane: string; readonly name: string } {
  const notification = readNotification(raw, [])?.notification;
  return notification
    ? { lane: laneOf(notification), name: eventSubject(notification.event).name }
    : { lane: '', name: '' };
}

/** Returns the extension of the text of a notification. */
export function laneOfText(raw: string): string {
  return subjectOfText(raw).lane;
}
