import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { insertText } from '../../../platform/named-statement.ts';
import { requireOwn } from '../../../platform/ownership.ts';
import { openToRead } from '../../../platform/read-database.ts';
import { openOwnDatabase, versionOf, type Database } from '../../../platform/sqlite.ts';
import { closedOnFailure } from '../../../platform/sqlite/connection.ts';

/**
 * The tables. `event.sealed` is 1 for a notification that was stored encrypted. `eventMessages` contains the messages
 * that were read for a mailbox event, as a JSON array. `attempt` contains the lanes in which a process delivers
 * events. `held`, `requested` and `created` contain subscriptions and chat webhooks of this machine (`RecordedIds`).
 */
const tables = `
  CREATE TABLE IF NOT EXISTS event (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    receiver TEXT NOT NULL,
    key TEXT NOT NULL,
    receivedAt INTEGER NOT NULL,
    origin TEXT NOT NULL,
    sealed INTEGER NOT NULL DEFAULT 0,
    raw TEXT NOT NULL,
    UNIQUE (receiver, key)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS cursor (name TEXT PRIMARY KEY, position INTEGER NOT NULL) STRICT;
  -- Bodies of rejected requests, which earlier versions stored.
  DROP TABLE IF EXISTS rejected;
  CREATE TABLE IF NOT EXISTS delivery (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    eventId INTEGER NOT NULL,
    target TEXT NOT NULL,
    lane TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    nextAt INTEGER NOT NULL,
    problem TEXT,
    milliseconds INTEGER,
    UNIQUE (eventId, target)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS deliveryByState ON delivery (state, target);
  CREATE TABLE IF NOT EXISTS attempt (
    target TEXT NOT NULL,
    lane TEXT NOT NULL,
    owner TEXT NOT NULL,
    PRIMARY KEY (target, lane, owner)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS syncPoint (
    receiver TEXT NOT NULL,
    extensionId TEXT NOT NULL,
    token TEXT NOT NULL,
    takenAt INTEGER NOT NULL,
    position INTEGER NOT NULL,
    known TEXT NOT NULL,
    PRIMARY KEY (receiver, extensionId)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS identity (one INTEGER PRIMARY KEY CHECK (one = 1), name TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS service (one INTEGER PRIMARY KEY CHECK (one = 1), origin TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS eventMessages (eventId INTEGER PRIMARY KEY, raw TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS held (receiver TEXT PRIMARY KEY, subscriptionId TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS requested (receiver TEXT PRIMARY KEY, address TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS created (id TEXT PRIMARY KEY, createdAt INTEGER NOT NULL) STRICT;
`;
/** Finds the pending deliveries of a lane. Only processes that deliver events need it, so readers do not create it. */
const laneIndex =
  "CREATE INDEX IF NOT EXISTS pendingByLane ON delivery (target, lane) WHERE state = 'pending';";
const version = 1;
/** A page of 8 KB holds five notifications, a page of 4 KB only two (docs/adr/0098-pages-of-the-inbox.md). */
const pageBytes = 8192;

/** Opens or creates the file of an inbox. Its folder must not be a link. @throws as `openOwnDatabase`. */
export function openInboxDatabase(file: string): Database {
  requireOwn(dirname(file));
  return openOwnDatabase(file, pageBytes);
}

/**
 * Opens an inbox for work that only reads it. On a full or read-only disk, nothing is created. @throws as `openOwnDatabase`.
 */
export function openInboxToRead(file: string): Database {
  const open = (): Database => {
    const db = openInboxDatabase(file);
    return closedOnFailure(db, () => void createTables(db, file));
  };
  return openToRead(file, open, tables);
}

/** Selects the members of an `EventRow`. */
export const selectEvent =
  'SELECT id, receiver, key, receivedAt, origin, sealed AS encrypted, raw FROM event';

/** Stores an event, unless its receiver has an event with the same key. */
export const insertEvent = insertText(
  'event',
  ['receiver', 'key', 'receivedAt', 'origin', 'sealed', 'raw'],
  'ON CONFLICT DO NOTHING',
);

/**
 * Queries of the events of a receiver after and before a position. The unary plus makes SQLite scan the IDs from the
 * position. Without it SQLite would use the index of `(receiver, key)`, and sort all events of the receiver for each
 * query.
 */
export const eventsAfter = `${selectEvent} WHERE +receiver = ? AND id > ? ORDER BY id`;
export const eventsBefore = `${selectEvent} WHERE +receiver = ? AND id < ? ORDER BY id DESC`;

/**
 * Creates missing tables and returns the unique name of the inbox.
 * @throws {DatabaseError} for a database of a newer version of ucctl.
 */
export function createTables(db: Database, file: string): string {
  const found = versionOf(db, file, version);
  db.exec(tables);
  // Even the same version would be written, and a command that only reads would wait for a process that writes.
  if (found !== version) db.exec(`PRAGMA user_version = ${version};`);
  const before = nameOf(db);
  if (before !== undefined) return before;
  // Another process may insert its name at the same time.
  db.prepare('INSERT INTO identity (one, name) VALUES (1, ?) ON CONFLICT DO NOTHING').run(randomUUID());
  return nameOf(db) ?? '';
}

/** Creates the index for deliveries, if it does not exist. */
export function createLaneIndex(db: Database): void {
  db.exec(laneIndex);
}

/** Returns the unique name of an inbox; undefined if the inbox does not have a name yet. */
export function nameOf(db: Database): string | undefined {
  const row = db.prepare('SELECT name FROM identity').get() as { readonly name: string } | undefined;
  return row?.name;
}
