import type { Database } from '../../platform/sqlite.ts';
import { prepare, prepareInsert } from '../world/sql.ts';

/** The table of the request log. */
export const requestLogSchema = `
CREATE TABLE requestLog (
  id INTEGER PRIMARY KEY, time INTEGER NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL, status INTEGER NOT NULL, operation TEXT,
  unread TEXT NOT NULL);
`;

/** One answered request. */
export interface RequestLogEntry {
  /** Time of the request in milliseconds since 1970. */
  readonly time: number;
  readonly method: string;
  /** The path with its query, from which tokens have been removed. */
  readonly path: string;
  readonly status: number;
  /** The ID of the operation; absent for an unknown route. */
  readonly operation: string | undefined;
  /** Members of the body and query parameters that the operation does not read. */
  readonly unread: readonly string[];
}
interface StoredEntry extends Omit<RequestLogEntry, 'operation' | 'unread'> {
  readonly operation: string | null;
  readonly unread: string;
}

/** The request log. Entries are buffered and written in batches, so that a read does not need a commit. */
export class RequestLog {
  readonly #add;
  readonly #trim;
  readonly #list;
  readonly #rows;
  #buffer: RequestLogEntry[] = [];

  constructor(db: Database, rows: number) {
    this.#add = prepareInsert<StoredEntry>(db, 'requestLog', [
      'time',
      'method',
      'path',
      'status',
      'operation',
      'unread',
    ]);
    this.#trim = prepare(db, 'DELETE FROM requestLog WHERE id <= (SELECT max(id) FROM requestLog) - :rows');
    this.#list = prepare<StoredEntry>(
      db,
      'SELECT time, method, path, status, operation, unread FROM requestLog ORDER BY id',
    );
    this.#rows = rows;
  }

  add(entry: RequestLogEntry): void {
    this.#buffer.push(entry);
  }

  get isFull(): boolean {
    return this.#buffer.length >= 1000;
  }

  /** Writes the buffered entries; called in a transaction. */
  flush(): void {
    for (const entry of this.#buffer) {
      const { time, method, path, status, operation, unread } = entry;
      this.#add.run({
        time,
        method,
        path,
        status,
        operation: operation ?? null,
        unread: JSON.stringify(unread),
      });
    }
    if (this.#buffer.length > 0) this.#trim.run({ rows: this.#rows });
    this.#buffer = [];
  }

  /** Discards the buffered entries. */
  clear(): void {
    this.#buffer = [];
  }

  list(): readonly RequestLogEntry[] {
    const stored = this.#list.all().map(toEntry);
    return [...stored, ...this.#buffer].slice(-this.#rows);
  }
}

function toEntry(row: StoredEntry): RequestLogEntry {
  return { ...row, operation: row.operation ?? undefined, unread: JSON.parse(row.unread) as string[] };
}

/** Returns the path with query, without tokens. */
export function shownPath({ pathname, search, searchParams }: URL): string {
  if (search === '') return pathname;
  const shown = new URLSearchParams(searchParams);
  for (const secret of ['access_token', 'token', 'wsc']) if (shown.has(secret)) shown.set(secret, '***');
  return shown.size > 0 ? `${pathname}?${shown.toString()}` : pathname;
}
