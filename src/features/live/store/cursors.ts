import type { Database } from '../../../platform/sqlite.ts';
import { Cursor } from './cursor.ts';

/** The cursors of one inbox, one object for each name. */
export class Cursors {
  readonly #db: Database;
  readonly #inbox: { readonly name: string; readonly file: string };
  readonly #byName = new Map<string, Cursor>();

  /** @param inbox the name that the inbox has in its database, and the path of the database */
  constructor(db: Database, inbox: { readonly name: string; readonly file: string }) {
    this.#db = db;
    this.#inbox = inbox;
  }

  /** Returns the cursor with this name; the same object for every call. */
  named(name: string): Cursor {
    // Called for each shown event.
    const known = this.#byName.get(name);
    if (known) return known;
    const file = `${this.#inbox.file.replace(/\.db$/, '')}.${name.replaceAll(':', '.')}.cursor`;
    const place = { db: this.#db, inboxName: this.#inbox.name, file };
    const cursor = new Cursor(place, name);
    this.#byName.set(name, cursor);
    return cursor;
  }

  /** Writes all positions to the database. */
  saveToDatabase(): void {
    for (const cursor of this.#byName.values()) cursor.saveToDatabase();
  }

  close(): void {
    for (const cursor of this.#byName.values()) cursor.close();
  }
}
