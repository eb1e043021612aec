import { readNotification } from '../notification/notification.ts';
import { eventSubject } from '../notification/notification.rows.ts';
import type { Notification } from '../../../contract/subscription.ts';
import type { AddedEvent } from '../../../store/event-log.ts';

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

/** What an event is about. */
export interface LoggedSubject {
  /** Extension; empty if the event has none. */
  readonly lane: string;
  /** Short name of the event, such as `messages`. */
  readonly name: string;
}

/** Returns the subject of an event; both members are empty if the event cannot be read. */
export function subjectOf({ raw, notification }: Pick<AddedEvent, 'raw' | 'notification'>): LoggedSubject {
  const read = notification ?? readNotification(raw, [])?.notification;
  return read ? { lane: laneOf(read), name: eventSubject(read.event).name } : { lane: '', name: '' };
}

/** Returns the extension of the text of a notification. */
export function laneOfText(raw: string): string {
  return subjectOf({ raw }).lane;
}
