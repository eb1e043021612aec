import { dayMilliseconds } from '../../platform/day.ts';
import { expiryTime } from '../../platform/day-old.ts';
import { prepareNamed } from '../../platform/named-statement.ts';
import type { Database } from '../../platform/sqlite.ts';

/** Minimum age of a run that is deleted, in milliseconds. */
const retentionMilliseconds = 90 * dayMilliseconds;
/** Number of runs that are retained at any age. */
const newestRuns = 1000;
/** A deletion ends after this number of runs, or the run that reaches this number of items. */
const portion = { runs: 10, items: 5000 } as const;

/**
 * The condition that no other run of the journal needs a run. Its first run identifies a group of runs of one command, so
 * the first run is deleted last. A group is needed while the journal has an undo of one of its runs, because an undo that
 * failed in part is repeated.
 */
const isNotNeeded = `
  id NOT IN (SELECT json_extract(detail, '$.partOf') FROM run WHERE json_extract(detail, '$.partOf') IS NOT NULL)
  AND coalesce(json_extract(detail, '$.partOf'), id) NOT IN (
    SELECT coalesce(json_extract(undone.detail, '$.partOf'), undone.id)
    FROM run AS undo JOIN run AS undone ON undone.id = json_extract(undo.detail, '$.undoes')
    WHERE json_extract(undo.detail, '$.undoes') IS NOT NULL)`;

/**
 * Deletes the oldest runs that are older than 90 days and not among the newest 1,000. Open runs are retained, as are runs
 * with an item that may have reached the service, because these must not be sent again. Each call deletes only a few runs,
 * so that the start of a run is not delayed. Called in a transaction, after the creation of the new run, which may be an
 * undo of an old run.
 */
export function deleteOldRuns(db: Database, now: number): void {
  // The newest row is the new run, which is open. It must stay, because SQLite would use its rowid again (`listSince`).
  const old = prepareNamed<{ readonly id: string }>(
    db,
    `SELECT id FROM run
     WHERE started < ${expiryTime('run', 'started', retentionMilliseconds)}
       AND started < (SELECT started FROM run ORDER BY started DESC LIMIT 1 OFFSET :newest)
       AND state <> 'open'
       AND NOT EXISTS (SELECT 1 FROM item WHERE item.run = run.id AND status IN ('sent', 'unknown'))
       AND ${isNotNeeded}
     ORDER BY started LIMIT :most`,
  ).all({ now, newest: newestRuns, most: portion.runs });
  const deleteItems = prepareNamed(db, 'DELETE FROM item WHERE run = :id');
  const deleteRun = prepareNamed(db, 'DELETE FROM run WHERE id = :id');
  let items = 0;
  for (const { id } of old) {
    items += deleteItems.run({ id }).changes;
    deleteRun.run({ id });
    if (items >= portion.items) return;
  }
}
