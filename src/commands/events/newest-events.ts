import { presenceOf, shownEvent, type PresenceMembers, type StoredEvent } from '../../features/live/index.ts';
import type { EventRow } from './event.rows.ts';
import { toRow } from './to-row.ts';

/** Number of events before the first one of the list that are read for the previous presence of people. */
const mostEarlier = 1000;

/** An event of the list. */
export interface FoundEvent {
  readonly stored: StoredEvent;
  /** The previous presence of the person of a presence event; undefined if it was not found. */
  before: PresenceMembers | undefined;
}

/**
 * Finds the last events of a list without reading all earlier ones.
 * @param newestFirst all events, newest first.
 * @returns the events, oldest first, and whether the list has earlier ones.
 */
export function newestEvents(
  newestFirst: Iterable<StoredEvent>,
  limit: number,
  isWanted: (row: EventRow) => boolean,
): { readonly found: readonly FoundEvent[]; readonly hasMore: boolean } {
  const found: FoundEvent[] = [];
  /** The events whose previous presence was not found yet, by person. */
  const open = new Map<string, FoundEvent>();
  let hasMore = false;
  let earlier = 0;
  for (const stored of newestFirst) {
    const shown = shownEvent(stored);
    const row = toRow(stored, shown);
    const presence = presenceOf(shown);
    const later = presence && open.get(presence.person);
    if (presence && later) {
      later.before = presence.members;
      open.delete(presence.person);
    }
    if (found.length < limit) {
      if (!isWanted(row)) continue;
      const event: FoundEvent = { stored, before: undefined };
      found.push(event);
      if (presence) open.set(presence.person, event);
    } else {
      hasMore ||= isWanted(row);
      earlier += 1;
      if (hasMore && (open.size === 0 || earlier >= mostEarlier)) break;
    }
  }
  return { found: found.toReversed(), hasMore };
}
