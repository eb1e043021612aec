import { isIndexable, readNotification } from '../notification/notification.ts';
import { eventSubject } from '../notification/notification.rows.ts';
import type { Notification } from '../../../contract/subscription.ts';
import type { AddedEvent } from '../../../store/event-log.ts';

/** What an event is about. */
export interface LoggedSubject {
  /** Extension; empty if the event has none with a usable ID, or is encrypted. */
  readonly lane: string;
  /** Short name of the event, such as `messages`. */
  readonly name: string;
}

/** Returns the subject of an event; both members are empty if the event cannot be read. */
export function subjectOf({ raw, notification }: Pick<AddedEvent, 'raw' | 'notification'>): LoggedSubject {
  const read = notification ?? readNotification(raw, [])?.notification;
  return read ? subjectOfRead(read) : { lane: '', name: '' };
}

/**
 * Returns the extension of an event. Events of an extension are delivered in order. Empty if the event has no
 * extension, or is encrypted.
 */
export function laneOf(notification: Pick<Notification, 'event' | 'body'>): string {
  return subjectOfRead(notification).lane;
}

function subjectOfRead({ event, body }: Pick<Notification, 'event' | 'body'>): LoggedSubject {
  const { extensionId = '', name } = eventSubject(event);
  const id = body?.['extensionId'];
  const lane = typeof id === 'string' || typeof id === 'number' ? String(id) : extensionId;
  return { lane: isIndexable(lane) ? lane : '', name };
}
