import { transaction, type Database } from '../../../platform/sqlite.ts';
import { prepareNamed } from '../../../platform/named-statement.ts';

/** Milliseconds for which processed events are stored, longer than the service may resend an event. */
const retentionMilliseconds = 30 * 86_400_000;

/**
 * Number of events deleted in one commit. A listener that runs at the same time waits for at most one commit before
 * it acknowledges.
 */
const batchSize = 1000;

/** Milliseconds between two regular deletions. */
const trimInterval = 10_000;
/** Number of events that a regular deletion examines: it delays the acknowledgement of the next notification. */
const trimBatch = 1000;

/** The deletion of old events, also during a run, because a listener runs for months. */
export class Retention {
  readonly #db: Database;
  readonly #now: () => number;
  readonly #saveCursors: () => void;
  /** The first deletion is that of `trimAll`, when the receiver starts. */
  #trimmedAt = Number.POSITIVE_INFINITY;
  /** The last event that was examined; 0 to begin with the oldest event. */
  #trimmedTo = 0;

  /** @param saveCursors stores the positions of the readers, which determine what may be deleted */
  constructor(db: Database, now: () => number, saveCursors: () => void) {
    this.#db = db;
    this.#now = now;
    this.#saveCursors = saveCursors;
  }

  /** Examines some events if the last deletion was a while ago. */
  trimIfDue(): void {
    if (this.#now() - this.#trimmedAt <= trimInterval) return;
    try {
      this.#trim({ max: trimBatch, after: this.#trimmedTo });
    } catch {
      // Deleting also fails on a full disk. The next call tries again.
    }
  }

  /** Deletes all old events that every reader has processed. */
  trimAll(): void {
    this.#trim({ max: Number.MAX_SAFE_INTEGER, after: 0 });
  }

  #trim(examined: { readonly max: number; readonly after: number }): void {
    this.#trimmedAt = this.#now();
    this.#saveCursors();
    this.#trimmedTo = trim(this.#db, this.#now(), examined);
  }
}

/**
 * Deletes old events that every reader has processed; never events that wait to be shown or delivered. Examines only
 * `max` events after the event `after`.
 * @param now milliseconds since 1970
 * @returns the event after which the next call continues, so that events that must stay do not prevent the deletion of
 * later events; 0 if no old events follow
 */
function trim(
  db: Database,
  now: number,
  { max, after }: { readonly max: number; readonly after: number },
): number {
  const limit = now - retentionMilliseconds;
  const examined = `SELECT id, receiver, receivedAt FROM event WHERE id > ${after} ORDER BY id LIMIT ${max}`;
  const last = prepareNamed<{ readonly id: number; readonly receivedAt: number }>(
    db,
    `SELECT id, receivedAt FROM (${examined}) LIMIT 1 OFFSET ${max - 1}`,
  ).get();
  const old = `SELECT id FROM (${examined}) AS oldest
    WHERE receivedAt < ${limit}
      AND id <= coalesce((SELECT min(position) FROM cursor WHERE name LIKE oldest.receiver || ':%'), 0)
      AND NOT EXISTS (SELECT 1 FROM consumer WHERE position < oldest.id
        AND (consumer.receiver IS NULL OR consumer.receiver = oldest.receiver))
      AND id NOT IN (SELECT eventId FROM consumerDelivery)
      AND id NOT IN (SELECT eventId FROM delivery WHERE state IN ('pending', 'dead'))`;
  const ids = prepareNamed<{ readonly id: number }>(db, old).all();
  const [deleteEvent, deleteDeliveries, deleteMessages] = [
    db.prepare('DELETE FROM event WHERE id = ?'),
    db.prepare('DELETE FROM delivery WHERE eventId = ?'),
    db.prepare('DELETE FROM eventMessages WHERE eventId = ?'),
  ];
  for (let at = 0; at < ids.length; at += batchSize) {
    transaction(db, () => {
      for (const { id } of ids.slice(at, at + batchSize)) {
        deleteDeliveries.run(id);
        deleteMessages.run(id);
        deleteEvent.run(id);
      }
    });
  }
  return last && last.receivedAt < limit ? last.id : 0;
}
