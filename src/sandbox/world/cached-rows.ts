import type { Database } from '../../platform/sqlite.ts';

/** Rows that a database was asked for by their key, kept until something is written: reading the same again does not ask it (docs/adr/0022-kept-rows.md). */
export class CachedRows {
  readonly #rows = new Map<string, unknown>();
  #isOpen = false;

  /** What `read` gives for this key of this table. */
  get<Row>(table: string, key: string | number, read: () => Row): Row {
    // What an open transaction reads may be undone.
    if (this.#isOpen) return read();
    const name = `${table} ${key}`;
    const known = this.#rows.get(name);
    if (known !== undefined) return known as Row;
    const row = read();
    if (this.#rows.size >= most) this.#rows.clear();
    this.#rows.set(name, row);
    return row;
  }

  /** Something was written. */
  forget(): void {
    this.#rows.clear();
  }

  /** A transaction begins. */
  open(): void {
    this.#isOpen = true;
    this.#rows.clear();
  }

  /** It ended, whichever way. */
  close(): void {
    this.#isOpen = false;
  }
}

const most = 10_000;
const caches = new WeakMap<Database, CachedRows>();

/** Those of a database: one for all who read and write there. */
export function cachedRowsOf(db: Database): CachedRows {
  const known = caches.get(db);
  if (known) return known;
  const fresh = new CachedRows();
  caches.set(db, fresh);
  return fresh;
}
