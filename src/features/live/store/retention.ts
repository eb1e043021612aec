import { transaction, type Database } from '../../../platform/sqlite.ts';
import { dayMilliseconds } from '../../../platform/day.ts';
import { prepareNamed } from '../../../platform/named-statement.ts';

/** Milliseconds for which processed events are stored, longer than the service may resend an event. */
const retentionMilliseconds = 30 * dayMilliseconds;

/** Milliseconds between two regular deletions. */
const trimInterval = 10_000;
/**
 * Number of events that are examined, and deleted in one commit. A deletion delays the acknowledgement of the next
 * notification, also by another listener.
 */
const trimBatch = 1000;

/**
 * The deletion of old events, also during a run, because a listener runs for months. The clock may be wrong. As in the
 * outcome journal, events expire by a time that is a day old, so that the events of the last month remain if the clock
 * is suddenly ahead.
 */
export class Retention {
  readonly #db: Database;
  readonly #now: () => number;
  readonly #saveCursors: () => void;
  /** The first deletion is that of `trimAll`, when the receiver starts. */
  #trimmedAt: number | undefined;
  /** The last event that was examined; 0 to begin with the oldest event. */
  #trimmedTo = 0;
  /** The time by which events expire. It was a day old when it was set. */
  #dayOld = 0;
  /** A time of this run that replaces `#dayOld` when it is a day old. */
  #notedAt = 0;

  /** @param saveCursors stores the positions of the readers, which determine what may be deleted */
  constructor(db: Database, now: () => number, saveCursors: () => void) {
    this.#db = db;
    this.#now = now;
    this.#saveCursors = saveCursors;
  }

  /** Examines some events if the last deletion was a while ago. */
  trimIfDue(): void {
    if (this.#trimmedAt === undefined) return;
    // The clock may have been set back.
    if (Math.abs(this.#now() - this.#trimmedAt) <= trimInterval) return;
    try {
      this.#trim();
    } catch {
      // Deleting also fails on a full disk. The next call tries again.
    }
  }

  /** Deletes old events that every reader has processed, up to the first group of events that ends with a later event. */
  trimAll(): void {
    this.#dayOld = newestDayOld(this.#db, this.#now());
    this.#notedAt = this.#now();
    this.#trimmedTo = 0;
    do this.#trim();
    while (this.#trimmedTo !== 0);
  }

  #trim(): void {
    this.#trimmedAt = this.#now();
    this.#saveCursors();
    this.#trimmedTo = trim(this.#db, this.#limit(), this.#trimmedTo);
  }

  /** Returns the time before which processed events are deleted. */
  #limit(): number {
    const now = this.#now();
    if (now - this.#notedAt >= dayMilliseconds) this.#dayOld = this.#notedAt;
    if (now - this.#notedAt >= dayMilliseconds || now < this.#notedAt) this.#notedAt = now;
    return Math.min(this.#dayOld + dayMilliseconds, now) - retentionMilliseconds;
  }
}

/**
 * Returns the time of the newest event that is at least a day old; 0 if there is no such event. The search halves the
 * IDs, because the times have no index. If the clock was set back, it may return the time of an older event, with which
 * fewer events are deleted.
 */
function newestDayOld(db: Database, now: number): number {
  const bounds = prepareNamed<{ readonly first: number; readonly last: number }>(
    db,
    'SELECT coalesce((SELECT min(id) FROM event), 1) AS first, coalesce((SELECT max(id) FROM event), 0) AS last',
  ).get();
  const next = prepareNamed<{ readonly id: number; readonly receivedAt: number }>(
    db,
    'SELECT id, receivedAt FROM event WHERE id >= :id ORDER BY id LIMIT 1',
  );
  let { first, last } = bounds ?? { first: 1, last: 0 };
  let newest = 0;
  while (first <= last) {
    const middle = Math.floor((first + last) / 2);
    const event = next.get({ id: middle });
    if (event && event.receivedAt <= now - dayMilliseconds) {
      newest = Math.max(newest, event.receivedAt);
      first = event.id + 1;
    } else last = middle - 1;
  }
  return newest;
}

/**
 * Deletes old events that every reader has processed; never events that wait to be shown or delivered. Examines only
 * some events after the event `after`.
 * @param limit milliseconds since 1970; later events stay
 * @returns the event after which the next call continues, so that events that must stay do not prevent the deletion of
 * later events; 0 if no old events follow
 */
function trim(db: Database, limit: number, after: number): number {
  const examined = `SELECT id, receiver, receivedAt FROM event WHERE id > ${after} ORDER BY id LIMIT ${trimBatch}`;
  const last = prepareNamed<{ readonly id: number; readonly receivedAt: number }>(
    db,
    `SELECT id, receivedAt FROM (${examined}) LIMIT 1 OFFSET ${trimBatch - 1}`,
  ).get();
  const old = `SELECT id FROM (${examined}) AS oldest
    WHERE receivedAt < ${limit}
      AND id <= coalesce((SELECT min(position) FROM cursor WHERE name LIKE oldest.receiver || ':%'), 0)
      AND NOT EXISTS (SELECT 1 FROM delivery WHERE eventId = oldest.id AND state IN ('pending', 'dead'))`;
  const ids = prepareNamed<{ readonly id: number }>(db, old).all();
  const [deleteEvent, deleteDeliveries, deleteMessages] = [
    db.prepare('DELETE FROM event WHERE id = ?'),
    db.prepare('DELETE FROM delivery WHERE eventId = ?'),
    db.prepare('DELETE FROM eventMessages WHERE eventId = ?'),
  ];
  if (ids.length > 0)
    transaction(db, () => {
      for (const { id } of ids) {
        deleteDeliveries.run(id);
        deleteMessages.run(id);
        deleteEvent.run(id);
      }
    });
  return last && last.receivedAt < limit ? last.id : 0;
}
