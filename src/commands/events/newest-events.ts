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
  const search = new EarlierPresence<FoundEvent>();
  let hasMore = false;
  let earlier = 0;
  for (const stored of newestFirst) {
    const shown = shownEvent(stored);
    const row = toRow(stored, shown);
    if (found.length < limit) {
      const event = isWanted(row) ? { stored, before: undefined } : undefined;
      search.read(shown, event);
      if (event) found.push(event);
    } else {
      search.read(shown);
      hasMore ||= isWanted(row);
      earlier += 1;
      if (hasMore && (!search.isOpen || earlier >= mostEarlier)) break;
    }
  }
  return { found: found.toReversed(), hasMore };
}
