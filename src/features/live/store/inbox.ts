import { GroupCommit } from '../../../platform/group-commit.ts';
import {
  closeLock,
  iterateRows,
  openDatabase,
  openOwnDatabase,
  transaction,
  type Database,
} from '../../../platform/sqlite.ts';
import { tryLock } from '../../../platform/process-lock.ts';
import { Cursor } from './cursor.ts';
import { inboxFile } from './inbox-file.ts';
import { Deliveries } from './deliveries.ts';
import type { EventStore } from './event-store.ts';
import { RecordedIds } from './recorded-ids.ts';
import { RejectedBodies, type Rejected } from './rejected-bodies.ts';
import { SyncPoints } from './sync-points.ts';
import type { Received } from '../notification/notification.ts';
import { RecentNotifications } from './recent-notifications.ts';
import { createTables, eventsAfter, eventsBefore } from './schema.ts';
import { belongsTo, type InboxService } from './service.ts';
import { importedAs, StoredEvent, type EventRow, type Origin } from './stored-event.ts';
import { trim } from './retention.ts';

/** Where and when an event came. */
export interface Provenance {
  readonly receiver: string;
  readonly origin: Origin;
  /** Milliseconds since 1970; now by default. */
  readonly receivedAt: number | undefined;
}

const insertEvent =
  'INSERT INTO event (receiver, key, receivedAt, origin, sealed, raw) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING';
const batch = 200;
/** Commits that a reader lets go before it takes its next batch, at most: about a tenth of a second. */
const mostCommitsFirst = 32;
const trimEvery = 10_000;
const trimmedAtOnce = 1000;

/**
 * The inbox on disk: what was accepted is committed (synchronous FULL) before the service gets its 200, each notification once for each
 * receiver. Readers follow with cursors of their own, so that none of them can hold up another or the acceptance.
 */
export class Inbox implements EventStore {
  readonly #db: Database;
  /** Does not wait for the disk. */
  readonly #light: Database;
  readonly #now: () => number;
  readonly #commits: GroupCommit;
  readonly #recent = new RecentNotifications();
  readonly #insert;
  readonly #after;
  readonly #has;
  readonly #cursorFile: (cursor: string) => string;
  readonly #inboxName: string;
  /** The database. */
  readonly file: string;
  readonly deliveries: Deliveries;
  readonly syncPoints: SyncPoints;
  readonly recordedIds: RecordedIds;
  readonly #rejected: RejectedBodies;
  readonly #cursors = new Map<string, Cursor>();
  readonly #sleeping = new Set<() => void>();
  #trimmedAt = Number.POSITIVE_INFINITY;

  private constructor(file: string, now: () => number) {
    this.#now = now;
    this.file = file;
    this.#db = openOwnDatabase(file);
    this.#inboxName = createTables(this.#db, file);
    this.#light = openDatabase(file);
    this.#light.exec('PRAGMA synchronous = NORMAL;');
    this.deliveries = new Deliveries(this.#light);
    this.syncPoints = new SyncPoints(this.#light);
    this.recordedIds = new RecordedIds(this.#light);
    this.#rejected = new RejectedBodies(this.#db);
    this.#insert = this.#db.prepare(insertEvent);
    this.#commits = new GroupCommit({
      transaction: (work) => transaction(this.#db, work),
      onEnd: () => this.#committed(),
    });
    this.#after = this.#db.prepare(`${eventsAfter} LIMIT ${batch}`);
    this.#has = this.#db.prepare('SELECT 1 FROM event WHERE receiver = ? AND key = ?');
    this.#cursorFile = (cursor) => `${file.replace(/\.db$/, '')}.${cursor.replaceAll(':', '.')}.cursor`;
  }

  /**
   * Opens or creates the inbox of a profile, or that of one of its services if it has several.
   * @throws {DatabaseError} (exit 12).
   */
  static open(
    stateFolder: string,
    profile: string,
    now: () => number,
    service: InboxService = { origin: undefined, claim: false },
  ): Inbox {
    const first = new Inbox(inboxFile(stateFolder, profile), now);
    try {
      if (belongsTo(first.#light, service)) return first;
    } catch (error) {
      first.close();
      throw error;
    }
    first.close();
    const other = new Inbox(inboxFile(stateFolder, profile, service.origin), now);
    belongsTo(other.#light, service);
    return other;
  }

  /** The connection of deliveries and cursors. What is written here outlives a kill, and a power cut but for the last moments. */
  get db(): Database {
    return this.#light;
  }

  /**
   * Resolves when the notification is on disk; only then may it be acknowledged. A known key is acknowledged and not kept twice. Rejects
   * when the disk does not take it.
   */
  async accept(received: Received, receiver: string, origin: Origin): Promise<'new' | 'duplicate'> {
    const id = await this.#store(received, { receiver, origin, receivedAt: undefined });
    if (id === undefined) return 'duplicate';
    if (received.notification) this.#recent.add(id, received.notification, received.raw.length);
    return 'new';
  }

  /** Resolves with the id of the event when it is on disk; with undefined for a known key. */
  #store(
    { key, raw, notification }: Received,
    { receiver, origin, receivedAt }: Provenance,
  ): Promise<number | undefined> {
    return this.#commits.add(() => {
      const at = receivedAt ?? this.#now();
      const result = this.#insert.run(receiver, key, at, origin, notification ? 0 : 1, raw);
      return result.changes > 0 ? Number(result.lastInsertRowid) : undefined;
    });
  }

  #asEvents(rows: readonly EventRow[]): readonly StoredEvent[] {
    return rows.map((row) => new StoredEvent(row, this.#recent.get(row.id)));
  }

  /** Keeps what another inbox has exported, as it was there. What came here itself is known. */
  async import(received: Received, provenance: Provenance): Promise<'new' | 'duplicate'> {
    const { receiver } = provenance;
    if (this.has(receiver, received.key)) return 'duplicate';
    const id = await this.#store(received, { ...provenance, receiver: importedAs(receiver) });
    return id === undefined ? 'duplicate' : 'new';
  }

  #committed(): void {
    for (const wake of this.#sleeping) wake();
    // A listener runs for months. In small pieces, for they hold up the next notification.
    if (this.#now() - this.#trimmedAt > trimEvery) this.#trimSome();
  }

  #trimSome(): void {
    try {
      this.trim(trimmedAtOnce);
    } catch {
      // A full disk does not let anything go either; what was accepted is safe, and the next time comes.
    }
  }

  /** Stores the bytes of a rejected body, of the last few hundred. */
  reject(reason: string, raw: Uint8Array): void {
    this.#rejected.add(reason, raw, this.#now());
  }

  rejected(): readonly Rejected[] {
    return this.#rejected.all();
  }

  /** Events of one receiver behind a position, in the order of acceptance, at most 200. */
  after(receiver: string, position: number): readonly StoredEvent[] {
    return this.#asEvents(this.#after.all(receiver, position));
  }

  /** Events of one receiver before a position, newest first, at most 200. */
  before(receiver: string, position: number): readonly StoredEvent[] {
    return this.#asEvents(this.#db.prepare(`${eventsBefore} LIMIT ${batch}`).all(receiver, position));
  }

  /** The event with this id, or those with this key (its uuid) at any receiver. */
  byId(id: number | string): readonly StoredEvent[] {
    const column = typeof id === 'number' ? 'id' : 'key';
    return this.#asEvents(this.#db.prepare(`SELECT * FROM event WHERE ${column} = ?`).all(id));
  }

  /** Every event of every receiver, oldest first, from a time on (milliseconds since 1970). Imported ones may be older than their ids. */
  *all(since = 0): Generator<StoredEvent, void, undefined> {
    const inOrder = 'SELECT id FROM event WHERE receivedAt >= ? ORDER BY receivedAt, id';
    const ids = Array.from(iterateRows<{ id: number }>(this.#db, inOrder, [since]), ({ id }) => id);
    const one = this.#db.prepare('SELECT * FROM event WHERE id = ?');
    for (const id of ids) {
      const row = one.get(id) as EventRow | undefined;
      // A listener may have trimmed it meanwhile.
      if (row) yield new StoredEvent(row, undefined);
    }
  }

  /** The place of the reader of this name, the same for every call. */
  cursor(name: string): Cursor {
    const place = { db: this.#light, inboxName: this.#inboxName, file: this.#cursorFile(name) };
    const cursor = this.#cursors.get(name) ?? new Cursor(place, name);
    this.#cursors.set(name, cursor);
    return cursor;
  }

  /** Whether one receiver has an event with this key. */
  has(receiver: string, key: string): boolean {
    return this.#has.get(receiver, key) !== undefined;
  }

  /** Moves a reader behind everything there is. */
  moveToEnd(cursor: string): void {
    const place = this.cursor(cursor);
    place.move(this.last());
    place.settle();
  }

  /** Id of the newest event; 0 when there is none. */
  last(): number {
    const row = this.#db.prepare('SELECT coalesce(max(id), 0) AS last FROM event').get();
    return (row as { last: number }).last;
  }

  /**
   * Events of one receiver from a cursor on, until `signal` aborts and everything accepted has been read. The cursor moves when the next one
   * is asked for, thus after the reader is done with one; a reader that knows sooner may move it itself.
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
      place.settle();
    }
  }

  /** Accepting goes before reading. Resolves as soon as nothing waits to be accepted, or after so many commits. */
  async #untilIdle(signal: AbortSignal): Promise<void> {
    for (let commits = 0; commits < mostCommitsFirst; commits += 1) {
      // What has arrived meanwhile comes in.
      await new Promise((resolve) => setImmediate(resolve));
      if (!this.#commits.isWaiting || signal.aborted) return;
      await this.nextCommit(signal);
    }
  }

  /** Resolves at the next commit, or when the signal aborts. */
  nextCommit(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#sleeping.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.#sleeping.add(done);
      signal.addEventListener('abort', done);
      if (signal.aborted) done();
    });
  }

  /** By a file beside the database, so that receivers of two services do not exclude each other. */
  lockReceiver(receiver: string): { release(): void } | undefined {
    const lock = tryLock(`${this.file.replace(/\.db$/, '')}.${receiver}.lock`);
    return lock && { release: () => closeLock(lock) };
  }

  /** Forgets what everyone has processed long ago, among so many of the oldest; never what still waits to be shown or forwarded. */
  trim(most = Number.MAX_SAFE_INTEGER): void {
    this.#trimmedAt = this.#now();
    for (const cursor of this.#cursors.values()) cursor.settle();
    trim(this.#db, this.#now(), most);
  }

  close(): void {
    this.#commits.commit();
    for (const cursor of this.#cursors.values()) cursor.close();
    this.#light.close();
    this.#db.close();
  }
}
