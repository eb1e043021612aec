import { knownExtensions } from '../../features/known-values/index.ts';
import {
  EventDescriber,
  EventNames,
  receiverOf,
  shownEvent,
  type Inbox,
  type PresenceMembers,
  type StoredEvent,
} from '../../features/live/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { EventRow } from './event.rows.ts';

/** Returns the row of a stored event, without members that only this machine knows. */
export function toRow(stored: StoredEvent, shown = shownEvent(stored)): EventRow {
  const { id, origin } = stored;
  const receivedAt = new Date(stored.receivedAt).toISOString();
  return { id, receivedAt, receiver: receiverOf(stored), origin, ...shown };
}

/** Converts stored events to rows with a description. Names come from the cache; nothing is sent. */
export function rowMaker(ctx: Context, inbox: Inbox): RowMaker {
  const describer = new EventDescriber(new EventNames(knownExtensions(ctx)));
  return (stored, before) => {
    const shown = shownEvent(stored);
    return { ...toRow(stored, shown), ...describer.describe(shown, inbox.messages.of(stored.id), before) };
  };
}

/**
 * Converts an event. `before` is the previous presence of the person; without it, the events must come in the order of
 * their arrival.
 */
export type RowMaker = (stored: StoredEvent, before?: PresenceMembers) => EventRow;
