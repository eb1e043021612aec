import { CachedStatements } from '../../../platform/cached-statements.ts';
import { GroupCommit } from '../../../platform/group-commit.ts';
import { prepareNamed } from '../../../platform/named-statement.ts';
import { transaction, type Database } from '../../../platform/sqlite.ts';
import type { LockHolder } from '../../../platform/lock-holder.ts';
import { holderOf, tryProcessLock } from '../../../platform/process-lock.ts';
import { Attempts } from './attempts.ts';
import { CommitWaiters } from './commit-waiters.ts';
import { connectToRead, connectToWrite, type Connections } from './connections.ts';
import type { Cursor } from './cursor.ts';
import { Cursors } from './cursors.ts';
import { inboxFile } from './inbox-file.ts';
import { Deliveries } from './deliveries.ts';
import { eventsByTime } from './events-by-time.ts';
import { EventMessages } from './event-messages.ts';
import { RecordedIds } from './recorded-ids.ts';
import { SyncPoints } from './sync-points.ts';
import type { Received } from '../notification/notification.ts';
import { RecentNotifications } from './recent-notifications.ts';
import { eventsAfter, eventsBefore, insertEvent, selectEvent } from './schema.ts';
import { belongsTo, type InboxService } from './service.ts';
import {
  importedAs,
  StoredEvent,
  type Origin,
  type Provenance,
  type StoredEventRow,
} from './stored-event.ts';
import type { TextFilter } from './text-filter.ts';
import { Retention } from './retention.ts';

const readBatch = 200;
/**
 * Maximum number of commits for which a reader waits before its next batch. These commits take about a tenth of a
 * second.
 */
const maxCommitsFirst = 32;
/**
 * Number of notifications that wait for a commit, above which further ones are not retained for readers. In such a burst
 * readers fall behind and find few of them, and retaining them takes longer than parsing their text again.
 */
const burst = 4;

/**
 * The inbox on disk. Notifications are committed (synchronous = FULL) before the service gets its 200, and each
 * notification is stored once per receiver. Every reader has its own cursor, so that readers block neither each other
 * nor the acceptance of notifications. No module outside of this folder uses SQLite for events.
 */
export class Inbox {
  readonly #db: Database;
  /** A second connection with synchronous = NORMAL, whose commits do not wait for the disk. */
  readonly #normalDb: Database;
  readonly #now: () => number;
  readonly #commits: GroupCommit;
  readonly #recent = new RecentNotifications();
  readonly #insert;
  /** The queries of `#db`. They are prepared once, because statements have native memory that is released late. */
  readonly #queries: CachedStatements;
  /** Path of the database. */
  readonly file: string;
  readonly attempts: Attempts;
  readonly deliveries: Deliveries;
  readonly messages: EventMessages;
  readonly syncPoints: SyncPoints;
  readonly recordedIds: RecordedIds;
  readonly #cursors: Cursors;
  readonly #waiters = new CommitWaiters();
  /** Number of notifications that are accepted and not committed. */
  #accepting = 0;
  readonly #retention: Retention;

  private constructor(file: string, now: () => number, { db, normalDb, name }: Connections) {
    this.#now = now;
    this.file = file;
    this.#db = db;
    this.#normalDb = normalDb;
    this.#cursors = new Cursors(this.#normalDb, { name, file });
    this.#retention = new Retention(this.#db, this.#now, () => this.#cursors.saveToDatabase());
    this.attempts = new Attempts(this.#normalDb);
    this.deliveries = new Deliveries(this.#normalDb);
    this.messages = new EventMessages(this.#normalDb);
    this.syncPoints = new SyncPoints(this.#normalDb);
    this.recordedIds = new RecordedIds(this.#normalDb);
    this.#queries = new CachedStatements(this.#db);
    this.#insert = prepareNamed(this.#db, insertEvent);
    this.#commits = new GroupCommit({
      transaction: (work) => transaction(this.#db, work),
      onEnd: () => this.#committed(),
    });
  }

  /**
   * Opens or creates the inbox of a profile and service.
   * @throws {DatabaseError} (exit 12) if the database cannot be used.
   */
  static open(
    stateFolder: string,
    profile: string,
    now: () => number,
    service: InboxService = { origin: undefined, claim: false },
  ): Inbox {
    const connect = service.onlyReads === true ? connectToRead : connectToWrite;
    const at = (file: string): Inbox => new Inbox(file, now, connect(file));
    const first = at(inboxFile(stateFolder, profile));
    try {
      if (belongsTo(first.#normalDb, service)) return first;
    } catch (error) {
      first.close();
      throw error;
    }
    first.close();
    const other = at(inboxFile(stateFolder, profile, service.origin));
    belongsTo(other.#normalDb, service);
    return other;
  }

  /**
   * The connection of deliveries and cursors. Its writes survive a kill of the process, but a power failure may lose
   * the most recent ones.
   */
  get db(): Database {
    return this.#normalDb;
  }

  /**
   * Resolves when the notification is on disk; only then may it be acknowledged. A notification with a known key is not
   * stored again. Rejects if the write fails.
   * @param isKnown called immediately before the event is stored, when all earlier events are stored. If it returns true,
   * the event is a duplicate.
   */
  async accept(
    received: Received,
    receiver: string,
    origin: Origin,
    isKnown?: () => boolean,
  ): Promise<'new' | 'duplicate'> {
    this.#accepting += 1;
    const isRetained = this.#accepting <= burst;
    try {
      const id = await this.#store(received, { receiver, origin, receivedAt: undefined }, isKnown);
      if (id === undefined) return 'duplicate';
      if (received.notification && isRetained)
        this.#recent.add(id, received.notification, received.raw.length);
      return 'new';
    } finally {
      this.#accepting -= 1;
    }
  }

  /** Resolves with the ID of the event when it is on disk; with undefined for a known key. */
  #store(
    { key, raw, notification }: Received,
    { receiver, origin, receivedAt }: Provenance,
    isKnown?: () => boolean,
  ): Promise<number | undefined> {
    return this.#commits.add(() => {
      if (isKnown?.()) return undefined;
      const at = receivedAt ?? this.#now();
      const sealed = notification ? 0 : 1;
      const { changes, id } = this.#insert.run({ receiver, key, receivedAt: at, origin, sealed, raw });
      return changes > 0 ? id : undefined;
    });
  }

  #asEvents(rows: readonly StoredEventRow[]): readonly StoredEvent[] {
    return rows.map((row) => new StoredEvent(row, this.#recent.get(row.id)));
  }

  /**
   * Stores an event of another inbox with its origin. An event that this inbox received from the service is a
   * duplicate.
   */
  async import(received: Received, provenance: Provenance): Promise<'new' | 'duplicate'> {
    const { receiver } = provenance;
    if (this.has(receiver, received.key)) return 'duplicate';
    const id = await this.#store(received, { ...provenance, receiver: importedAs(receiver) });
    return id === undefined ? 'duplicate' : 'new';
  }

  #committed(): void {
    this.#waiters.resume();
    this.#retention.trimIfDue();
  }

  /** Events of one receiver after a position, in the order of acceptance, at most 200. */
  after(receiver: string, position: number): readonly StoredEvent[] {
    return this.#asEvents(this.#queries.prepare(`${eventsAfter} LIMIT ${readBatch}`).all(receiver, position));
  }

  /** Events of one receiver before a position, newest first, at most 200. */
  before(receiver: string, position: number): readonly StoredEvent[] {
    return this.#asEvents(
      this.#queries.prepare(`${eventsBefore} LIMIT ${readBatch}`).all(receiver, position),
    );
  }

  /** Events of all receivers after a position, in the order of acceptance, at most 200. */
  allAfter(position: number): readonly StoredEvent[] {
    const query = `${selectEvent} WHERE id > ? ORDER BY id LIMIT ${readBatch}`;
    return this.#asEvents(this.#queries.prepare(query).all(position));
  }

  /** Events of all receivers before a position, newest first, at most 200. */
  allBefore(position: number): readonly StoredEvent[] {
    const query = `${selectEvent} WHERE id < ? ORDER BY id DESC LIMIT ${readBatch}`;
    return this.#asEvents(this.#queries.prepare(query).all(position));
  }

  /** Returns the event with this ID, or the events of all receivers with this key (the uuid). */
  byId(id: number | string): readonly StoredEvent[] {
    const column = typeof id === 'number' ? 'id' : 'key';
    return this.#asEvents(this.#queries.prepare(`${selectEvent} WHERE ${column} = ?`).all(id));
  }

  /**
   * Yields the events of all receivers since a time (milliseconds since 1970), oldest first.
   * @param filter skips events that do not match.
   */
  all(since = 0, filter?: TextFilter): Generator<StoredEvent, void, undefined> {
    return eventsByTime(this.#db, since, 'oldest first', filter);
  }

  /** Like `all`, newest first. */
  newest(since = 0, filter?: TextFilter): Generator<StoredEvent, void, undefined> {
    return eventsByTime(this.#db, since, 'newest first', filter);
  }

  /** Returns the cursor with this name; the same object for every call. */
  cursor(name: string): Cursor {
    return this.#cursors.named(name);
  }

  /** Whether one receiver has an event with this key. */
  has(receiver: string, key: string): boolean {
    const query = 'SELECT 1 FROM event WHERE receiver = ? AND key = ?';
    return this.#queries.prepare(query).get(receiver, key) !== undefined;
  }

  /** Moves a reader to the end, after all stored events. */
  moveToEnd(cursor: string): void {
    const place = this.cursor(cursor);
    place.move(this.last());
    place.saveToDatabase();
  }

  /** ID of the newest event; 0 if there is no event. */
  last(): number {
    const row = this.#queries.prepare('SELECT coalesce(max(id), 0) AS last FROM event').get();
    return (row as { last: number }).last;
  }

  /**
   * Yields the events of one receiver from a cursor, until `signal` aborts and all accepted events have been read. The
   * cursor moves past an event when the reader requests the next one; a reader may also move it earlier.
   */
  async *read(
    receiver: string,
    cursor: string,
    signal: AbortSignal,
  ): AsyncGenerator<StoredEvent, void, undefined> {
    const place = this.cursor(cursor);
    try {
      for (;;) {
        await this.#untilIdle(signal);
        const events = this.after(receiver, place.position);
        for (const event of events) {
          yield event;
          if (place.position < event.id) place.move(event.id);
        }
        if (events.length > 0) continue;
        if (signal.aborted) return;
        await this.nextCommit(signal);
      }
    } finally {
      place.saveToDatabase();
    }
  }

  /**
   * Gives the acceptance of notifications priority over reading. Resolves when no notification waits to be stored, or
   * after `maxCommitsFirst` commits.
   */
  async #untilIdle(signal: AbortSignal): Promise<void> {
    for (let commits = 0; commits < maxCommitsFirst; commits += 1) {
      // Gives the server a chance to read requests that have arrived.
      await new Promise((resolve) => setImmediate(resolve));
      if (!this.#commits.isWaiting || signal.aborted) return;
      await this.nextCommit(signal);
    }
  }

  /** Resolves at the next commit, or when the signal aborts. */
  nextCommit(signal: AbortSignal): Promise<void> {
    return this.#waiters.next(signal);
  }

  /**
   * Locks a receiver name, with a file next to the database, so that receivers of different services do not exclude each other.
   * Undefined while another process has the lock. The lock is released when the process ends, even by a kill.
   */
  lockReceiver(receiver: string): { release(): void } | undefined {
    return tryProcessLock(this.#lockOf(receiver));
  }

  /** Returns the process that has the lock of a receiver name; undefined if it is unknown. */
  holderOf(receiver: string): LockHolder | undefined {
    return holderOf(this.#lockOf(receiver));
  }

  #lockOf(receiver: string): string {
    return `${this.file.replace(/\.db$/, '')}.${receiver}.lock`;
  }

  /** Deletes old events that every reader has processed; never events that wait to be shown or delivered. */
  trim(): void {
    this.#retention.trimAll();
  }

  close(): void {
    this.#commits.commit();
    this.#cursors.close();
    if (this.#normalDb !== this.#db) this.#normalDb.close();
    this.#db.close();
  }
}
