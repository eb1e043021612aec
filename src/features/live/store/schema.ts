import { randomUUID } from 'node:crypto';
import { versionOf, type Database } from '../../../platform/sqlite.ts';

/** `event.sealed`: an encrypted notification that could not be read yet. */
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
  CREATE TABLE IF NOT EXISTS rejected (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    receivedAt INTEGER NOT NULL,
    reason TEXT NOT NULL,
    raw BLOB NOT NULL
  ) STRICT;
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
  CREATE TABLE IF NOT EXISTS held (receiver TEXT PRIMARY KEY, subscriptionId TEXT NOT NULL) STRICT;
`;
const version = 1;

/**
 * A receiver's events behind a position, and before one. With the sign before the name they walk along the ids from that position; without it
 * they would find every event of the receiver by its keys and sort them, each time: longer with every event that is kept.
 */
export const eventsAfter = 'SELECT * FROM event WHERE +receiver = ? AND id > ? ORDER BY id';
export const eventsBefore = 'SELECT * FROM event WHERE +receiver = ? AND id < ? ORDER BY id DESC';

/**
 * Creates what is missing, and answers the name of this inbox, which no other has.
 * @throws {DatabaseError} for a database of a newer version of this tool.
 */
export function createTables(db: Database, file: string): string {
  versionOf(db, file, version);
  db.exec(`${tables} PRAGMA user_version = ${version};`);
  const name = db.prepare('SELECT name FROM identity');
  const known = (): string | undefined => (name.get() as { name: string } | undefined)?.name;
  const before = known();
  if (before !== undefined) return before;
  // Another process may be first.
  db.prepare('INSERT INTO identity VALUES (1, ?) ON CONFLICT DO NOTHING').run(randomUUID());
  return known() ?? '';
}
