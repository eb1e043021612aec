import { iterateRows, type Database } from '../../../platform/sqlite.ts';
import { selectEvent } from './schema.ts';
import { StoredEvent, type StoredEventRow } from './stored-event.ts';
import { conditionOf, type TextFilter } from './text-filter.ts';

/** Number of events that one query reads. A list that ends early reads at most this many unneeded events. */
const batch = 100;

/**
 * Yields the events of all receivers since a time (milliseconds since 1970). They are sorted by time, because imported
 * events have new IDs but old times.
 * @param filter skips events that do not match.
 */
export function* eventsByTime(
  db: Database,
  since: number,
  order: 'oldest first' | 'newest first',
  filter: TextFilter = { groups: [] },
): Generator<StoredEvent, void, undefined> {
  const direction = order === 'oldest first' ? 'ASC' : 'DESC';
  const inOrder = `ORDER BY receivedAt ${direction}, id ${direction}`;
  const all = `SELECT id FROM event WHERE receivedAt >= ? ${inOrder}`;
  const ids = Array.from(iterateRows<{ id: number }>(db, all, [since]), ({ id }) => id);
  const { sql, values } = conditionOf(filter);
  const some = db.prepare(
    `${selectEvent} WHERE id IN (SELECT value FROM json_each(?)) AND ${sql} ${inOrder}`,
  );
  for (let start = 0; start < ids.length; start += batch) {
    // A listener may have deleted events in the meantime.
    const rows = some.all(JSON.stringify(ids.slice(start, start + batch)), ...values);
    for (const row of rows as unknown as readonly StoredEventRow[]) yield new StoredEvent(row, undefined);
  }
}
