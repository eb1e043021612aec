import { openDatabase, type Database } from '../../../platform/sqlite.ts';
import { createLaneIndex, createTables, nameOf, openInboxDatabase, openInboxToRead } from './schema.ts';

/** The connections of an inbox, and its unique name. */
export interface Connections {
  readonly db: Database;
  /** A connection with synchronous = NORMAL, whose commits do not wait for the disk. */
  readonly normalDb: Database;
  readonly name: string;
}

/** Opens or creates the database of an inbox. */
export function connectToWrite(file: string): Connections {
  const db = openInboxDatabase(file);
  const name = createTables(db, file);
  createLaneIndex(db);
  const normalDb = openDatabase(file);
  normalDb.exec('PRAGMA synchronous = NORMAL;');
  return { db, normalDb, name };
}

/** Opens the database of an inbox to read, for which one connection is enough. */
export function connectToRead(file: string): Connections {
  const db = openInboxToRead(file);
  return { db, normalDb: db, name: nameOf(db) ?? '' };
}
