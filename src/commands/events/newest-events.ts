import {
  EarlierPresence,
  mostEarlier,
  shownEvent,
  type ComparedEvent,
  type StoredEvent,
} from '../../features/live/index.ts';
import type { EventRow } from './event.rows.ts';
import { toRow } from './to-row.ts';

/** An event of the list. */
export interface FoundEvent extends ComparedEvent {
  readonly stored: StoredEvent;
}

/** Which events a list shows. */
export interface Listing {
  /** Whether the list may show an event, which is not parsed if it does not. */
  readonly mayBeListed: (stored: StoredEvent) => boolean;
  readonly isListed: (row: EventRow) => boolean;
}

/**
 * Finds the last events of a list without reading all earlier ones.
 * @param newestFirst all events of the list, and all earlier presences of its people, newest first.
 * @returns the events, oldest first, and whether the list has earlier ones.
 */
export function newestEvents(
  newestFirst: Iterable<StoredEvent>,
  limit: number,
  { mayBeListed, isListed }: Listing,
): { readonly found: readonly FoundEvent[]; readonly hasMore: boolean } {
  const found: FoundEvent[] = [];
  const search = new EarlierPresence<FoundEvent>();
  let hasMore = false;
  let earlier = 0;
  for (const stored of newestFirst) {
    const mayBe = mayBeListed(stored);
    if (!mayBe && !search.isOpen) continue;
    const shown = shownEvent(stored);
    const row = toRow(stored, shown);
    if (found.length < limit) {
      const event = mayBe && isListed(row) ? { stored, before: undefined } : undefined;
      search.read(shown, event);
      if (event) found.push(event);
    } else {
      search.read(shown);
      hasMore ||= mayBe && isListed(row);
      earlier += 1;
      if (hasMore && (!search.isOpen || earlier >= mostEarlier)) break;
    }
  }
  return { found: found.toReversed(), hasMore };
}
