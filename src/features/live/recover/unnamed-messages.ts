import type { Message } from '../../../contract/message.ts';
import { messageTypeOf } from '../../../contract/message-type.ts';
import type { Notification } from '../../../contract/subscription.ts';
import { countOf, membersOf, objectsOf, wordOf } from '../describe/body-values.ts';
import { isoTime } from '../notification/notification.rows.ts';

/** New messages that a notification counts without their IDs, which are optional (EVENT-18). */
export interface UnnamedMessages {
  /** Type as in a message; empty if the notification has none. */
  readonly type: string;
  readonly count: number;
  /** Time of the notification in milliseconds since 1970. */
  readonly until: number;
}

/** Milliseconds by which a message can be newer than its notification, whose time may have no fraction of a second. */
const tolerance = 1000;

/** Whether the text of a notification may announce messages, so that it must be parsed. */
export function mayAnnounce(raw: string): boolean {
  return raw.includes('newMessageIds') || raw.includes('newCount');
}

/** Returns the new messages that a notification does not name. */
export function unnamedMessages({ body, timestamp }: Notification): readonly UnnamedMessages[] {
  const { changes, lastUpdated } = membersOf(body);
  const time = Date.parse(isoTime(lastUpdated) ?? isoTime(timestamp) ?? '');
  const until = Number.isNaN(time) ? Number.POSITIVE_INFINITY : time;
  return objectsOf(changes).flatMap(({ type, newCount, newMessageIds }) => {
    const count = countOf(newCount);
    const isNamed = Array.isArray(newMessageIds) && newMessageIds.length > 0;
    return isNamed || count === 0 ? [] : [{ type: messageTypeOf(wordOf(type)), count, until }];
  });
}

/**
 * Returns the IDs of the messages that notifications have announced without their IDs: for each notification the newest
 * messages of its type up to its time, as many as it counts.
 * @param messages the messages that no notification names.
 */
export function announcedWithoutIds(
  messages: readonly (Message & { readonly creationTime: string })[],
  announced: readonly UnnamedMessages[],
): ReadonlySet<string> {
  const open = messages.toSorted((a, b) => Date.parse(b.creationTime) - Date.parse(a.creationTime));
  const found = new Set<string>();
  for (const { type, count, until } of announced.toSorted((a, b) => a.until - b.until)) {
    const fitting = open.filter(
      (message) =>
        !found.has(String(message.id)) &&
        (type === '' || message.type === undefined || messageTypeOf(message.type) === type) &&
        Date.parse(message.creationTime) <= until + tolerance,
    );
    for (const { id } of fitting.slice(0, count)) found.add(String(id));
  }
  return found;
}
