import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openDatabase, transaction, type Database } from '../../platform/sqlite.ts';
import { CommandError, Exit, messageOf } from '../../runtime/errors.ts';
import type { Received } from './notification.ts';
import { createTables, eventsAfter, eventsBefore } from './schema.ts';

/** How an event came here. */
export type Origin = 'webhook' | 'channel' | 'recovered' | 'gap' | 'import';

export interface StoredEvent {
  readonly id: number;
  /** Which of this user's receivers took it. */
  readonly receiver: string;
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  readonly origin: Origin;
  /** 1 while an encrypted notification has not been read. */
  readonly sealed: 0 | 1;
  readonly raw: string;
}

export interface Rejected {
  readonly id: number;
  readonly receivedAt: number;
  readonly reason: string;
  readonly raw: Uint8Array;
}

interface Waiting {
  readonly receiver: string;
  readonly received: Received;
  readonly origin: Origin;
  readonly resolve: (result: 'new' | 'duplicate') => void;
  readonly reject: (error: unknown) => void;
}

/** Bodies that were refused are looked at once in a while, and may be an attack: few are kept, and of each the beginning. */
const keptRejected = 500;
const keptRejectedBytes = 64 * 1024;
const batch = 200;
/** Events that everyone has processed are kept this long; longer than the service may send one again. */
const keptMilliseconds = 30 * 86_400_000;
const trimEvery = 10_000;
const trimmedAtOnce = 1000;

/**
 * The inbox on disk: what was accepted is committed (synchronous FULL) before the service gets its 200, each notification once for each
 * receiver. Readers follow with cursors of their own, so that none of them can hold up another or the acceptance.
 */
export class Inbox {
  readonly #db: Database;
  /** Cursors survive a kill; only a power cut may set them back a little, which costs no event. */
  readonly #light: Database;
  readonly #now: () => number;
  readonly #insert;
  readonly #after;
  readonly #position;
  readonly #move;
  readonly #has;
  readonly #waiting: Waiting[] = [];
  readonly #sleeping = new Set<() => void>();
  #trimmedAt = Number.POSITIVE_INFINITY;

  private constructor(file: string, now: () => number) {
    this.#now = now;
    this.#db = openDatabase(file);
    createTables(this.#db);
    this.#light = openDatabase(file);
    this.#light.exec('PRAGMA synchronous = NORMAL;');
    this.#insert = this.#db.prepare(
      'INSERT INTO event (receiver, key, receivedAt, origin, sealed, raw) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
    );
    this.#after = this.#db.prepare(`${eventsAfter} LIMIT ${batch}`);
    this.#has = this.#db.prepare('SELECT 1 FROM event WHERE receiver = ? AND key = ?');
    this.#position = this.#light.prepare('SELECT position FROM cursor WHERE name = ?');
    this.#move = this.#light.prepare(
      'INSERT INTO cursor (name, position) VALUES (?, ?) ON CONFLICT DO UPDATE SET position = excluded.position',
    );
  }

  /** Opens or creates the inbox of a profile. @throws {CommandError} `inbox_unusable` (exit 12). */
  static open(stateFolder: string, profile: string, now: () => number): Inbox {
    const file = inboxFile(stateFolder, profile);
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      createPrivate(file);
      return new Inbox(file, now);
    } catch (cause) {
      throw new CommandError('inbox_unusable', Exit.local, `the inbox ${file} cannot be opened`, {
        hint: 'check the free space and the mode of that folder',
        details: [messageOf(cause)],
        cause,
      });
    }
  }

  /** For the parts of the inbox in files of their own. What is written here outlives a kill, and a power cut but for the last moments. */
  get db(): Database {
    return this.#light;
  }

  /**
   * Resolves when the notification is on disk; only then may it be acknowledged. What comes in one turn of the event loop is committed
   * together. A known key is acknowledged and not kept twice. Rejects when the disk does not take it.
   */
  accept(received: Received, receiver: string, origin: Origin): Promise<'new' | 'duplicate'> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ receiver, received, origin, resolve, reject });
      if (this.#waiting.length === 1) setImmediate(() => this.#commit());
    });
  }

  #commit(): void {
    const group = this.#waiting.splice(0);
    if (group.length === 0) return;
    try {
      const added = transaction(this.#db, () => group.map((one) => this.#add(one)));
      for (const [index, one] of group.entries()) one.resolve(added[index] ? 'new' : 'duplicate');
    } catch (error) {
      for (const one of group) one.reject(error);
    }
    this.#wake();
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

  #add({ receiver, received, origin }: Waiting): boolean {
    const { key, raw, notification } = received;
    return this.#insert.run(receiver, key, this.#now(), origin, notification ? 0 : 1, raw).changes > 0;
  }

  /** Keeps the bytes of a body that was refused, the last few hundred. */
  reject(reason: string, raw: Uint8Array): void {
    this.#db
      .prepare('INSERT INTO rejected (receivedAt, reason, raw) VALUES (?, ?, ?)')
      .run(this.#now(), reason, raw.subarray(0, keptRejectedBytes));
    this.#db.prepare('DELETE FROM rejected WHERE id <= (SELECT max(id) FROM rejected) - ?').run(keptRejected);
  }

  rejected(): readonly Rejected[] {
    return this.#db.prepare('SELECT * FROM rejected ORDER BY id').all();
  }

  /** Events of one receiver behind a position, in the order of acceptance, at most 200. */
  after(receiver: string, position: number): readonly StoredEvent[] {
    return this.#after.all(receiver, position);
  }

  /** Events of one receiver before a position, newest first, at most 200. */
  before(receiver: string, position: number): readonly StoredEvent[] {
    return this.#db.prepare(`${eventsBefore} LIMIT ${batch}`).all(receiver, position);
  }

  /** The event with this id, or those with this key (its uuid) at any receiver. */
  byId(id: number | string): readonly StoredEvent[] {
    const column = typeof id === 'number' ? 'id' : 'key';
    return this.#db.prepare(`SELECT * FROM event WHERE ${column} = ?`).all(id);
  }

  /** Every event of every receiver, oldest first, from a time on (milliseconds since 1970). */
  *all(since = 0): Generator<StoredEvent, void, undefined> {
    const next = this.#db.prepare(
      `SELECT * FROM event WHERE id > ? AND receivedAt >= ? ORDER BY id LIMIT ${batch}`,
    );
    let position = 0;
    for (;;) {
      const rows = next.all(position, since) as unknown as readonly StoredEvent[];
      if (rows.length === 0) return;
      for (const row of rows) {
        position = row.id;
        yield row;
      }
    }
  }

  /** Where a reader stands; 0 before its first event. */
  position(cursor: string): number {
    const row = this.#position.get(cursor) as { position: number } | undefined;
    return row?.position ?? 0;
  }

  /** Whether a reader of this name ever stood anywhere. */
  knows(cursor: string): boolean {
    return this.#position.get(cursor) !== undefined;
  }

  move(cursor: string, position: number): void {
    this.#move.run(cursor, position);
  }

  /** Whether one receiver has an event with this key. */
  has(receiver: string, key: string): boolean {
    return this.#has.get(receiver, key) !== undefined;
  }

  /** Moves a reader behind everything there is. */
  moveToEnd(cursor: string): void {
    this.move(cursor, this.last());
  }

  /** Id of the newest event; 0 when there is none. */
  last(): number {
    const row = this.#db.prepare('SELECT coalesce(max(id), 0) AS last FROM event').get();
    return (row as { last: number }).last;
  }

  /**
   * Events of one receiver from a cursor on, until `signal` aborts and everything accepted has been read. The cursor moves when the next one
   * is asked for, thus after the reader is done with one.
   */
  async *read(
    receiver: string,
    cursor: string,
    signal: AbortSignal,
  ): AsyncGenerator<StoredEvent, void, undefined> {
    let position = this.position(cursor);
    for (;;) {
      const events = this.after(receiver, position);
      for (const event of events) {
        yield event;
        position = event.id;
        this.move(cursor, position);
      }
      if (events.length > 0) continue;
      if (signal.aborted) return;
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

  #wake(): void {
    for (const done of this.#sleeping) done();
  }

  /**
   * Forgets what everyone has processed long ago; never what still waits to be shown or forwarded. It looks at so many of the oldest.
   */
  trim(most = Number.MAX_SAFE_INTEGER): void {
    this.#trimmedAt = this.#now();
    const old = `SELECT id FROM (SELECT id, receiver, receivedAt FROM event ORDER BY id LIMIT ${most}) AS oldest
      WHERE receivedAt < ${this.#now() - keptMilliseconds}
        AND id <= coalesce((SELECT min(position) FROM cursor WHERE name LIKE oldest.receiver || ':%'), 0)
        AND id NOT IN (SELECT eventId FROM delivery WHERE state IN ('pending', 'dead'))`;
    transaction(this.#db, () => {
      const ids = this.#db.prepare(old).all() as unknown as readonly { readonly id: number }[];
      const [forgotten, handedOn] = [
        this.#db.prepare('DELETE FROM event WHERE id = ?'),
        this.#db.prepare('DELETE FROM delivery WHERE eventId = ?'),
      ];
      for (const { id } of ids) {
        handedOn.run(id);
        forgotten.run(id);
      }
    });
  }

  close(): void {
    this.#commit();
    this.#light.close();
    this.#db.close();
  }
}

/** The database of a profile's events. */
export function inboxFile(stateFolder: string, profile: string): string {
  return join(stateFolder, 'inbox', `${profile}.db`);
}

function createPrivate(file: string): void {
  try {
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
