import { iterateRows, type Database } from '../../../platform/sqlite.ts';
import { selectEvent } from './schema.ts';
import { StoredEvent, type StoredEventRow } from './stored-event.ts';

/**
 * Yields the events of all receivers since a time (milliseconds since 1970). They are sorted by time, because imported
 * events have new IDs but old times.
 */
export function* eventsByTime(
  db: Database,
  since: number,
  order: 'oldest first' | 'newest first',
): Generator<StoredEvent, void, undefined> {
  const direction = order === 'oldest first' ? 'ASC' : 'DESC';
  const inOrder = `SELECT id FROM event WHERE receivedAt >= ? ORDER BY receivedAt ${direction}, id ${direction}`;
  const ids = Array.from(iterateRows<{ id: number }>(db, inOrder, [since]), ({ id }) => id);
  const one = db.prepare(`${selectEvent} WHERE id = ?`);
  for (const id of ids) {
    const row = one.get(id) as StoredEventRow | undefined;
    // A listener may have deleted the event in the meantime.
    if (row) yield new StoredEvent(row, undefined);
  }
}
