import { knownExtensions } from '../../features/known-values/index.ts';
import {
  EventDescriber,
  EventNames,
  receiverOf,
  shownEvent,
  type Inbox,
  type StoredEvent,
} from '../../features/live/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { EventRow } from './event.rows.ts';

/** Returns the row of a stored event, without members that only this machine knows. */
export function toRow(stored: StoredEvent): EventRow {
  const { id, origin } = stored;
  const receivedAt = new Date(stored.receivedAt).toISOString();
  return { id, receivedAt, receiver: receiverOf(stored), origin, ...shownEvent(stored) };
}

/** Converts stored events, in the order of their arrival, to rows with a description. Names come from the cache; nothing is sent. */
export function rowMaker(ctx: Context, inbox: Inbox): (stored: StoredEvent) => EventRow {
  const describer = new EventDescriber(new EventNames(knownExtensions(ctx)));
  return (stored) => ({
    ...toRow(stored),
    ...describer.describe(shownEvent(stored), inbox.messages.of(stored.id)),
  });
}
