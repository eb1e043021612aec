import type { Database } from '../../platform/sqlite.ts';

/** Rows read by key, cached until the next write to the database (docs/adr/0022-cached-rows.md). */
export class CachedRows {
  readonly #rows = new Map<string, unknown>();
  #isOpen = false;

  /** Returns the cached row for a key of a table, or else the result of `read`. */
  get<Row>(table: string, key: string | number, read: () => Row): Row {
    // Rows read in an open transaction are not cached, because the transaction may be rolled back.
    if (this.#isOpen) return read();
    const name = `${table} ${key}`;
    const known = this.#rows.get(name);
    if (known !== undefined) return known as Row;
    const row = read();
    if (this.#rows.size >= most) this.#rows.clear();
    this.#rows.set(name, row);
    return row;
  }

  /** Called after a write. */
  forget(): void {
    this.#rows.clear();
  }

  /** Called when a transaction begins. */
  open(): void {
    this.#isOpen = true;
    this.#rows.clear();
  }

  /** Called when a transaction ends, by commit or rollback. */
  close(): void {
    this.#isOpen = false;
  }
}

const most = 10_000;
const caches = new WeakMap<Database, CachedRows>();

/** Returns the cache of a database, shared by all its stores. */
export function cachedRowsOf(db: Database): CachedRows {
  const known = caches.get(db);
  if (known) return known;
  const fresh = new CachedRows();
  caches.set(db, fresh);
  return fresh;
}
