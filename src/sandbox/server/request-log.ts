import type { Database } from '../../platform/sqlite.ts';
import { prepare, prepareInsert } from '../world/sql.ts';

/** The table of answered requests. */
export const requestLogSchema = `
CREATE TABLE requestLog (
  id INTEGER PRIMARY KEY, time INTEGER NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL, status INTEGER NOT NULL, operation TEXT,
  unread TEXT NOT NULL);
`;

/** One request that was answered. */
export interface RequestLogEntry {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly method: string;
  /** With query, without tokens. */
  readonly path: string;
  readonly status: number;
  /** Absent for an unknown route. */
  readonly operation: string | undefined;
  /** Members of the body and query parameters that the operation does not read. */
  readonly unread: readonly string[];
}
interface StoredEntry extends Omit<RequestLogEntry, 'operation' | 'unread'> {
  readonly operation: string | null;
  readonly unread: string;
}

/** Kept in memory and written in batches: a log of reads must not cost each read a commit. */
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

  /** Writes what is in memory; called in a transaction. */
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

  /** Forgets what was not written yet. */
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
