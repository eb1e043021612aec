import type { ErrorReply } from '../../contract/error.ts';
import type { Database } from '../../platform/sqlite.ts';
import { changesOf } from '../world/changes.ts';
import { prepare, prepareInsert } from '../world/sql.ts';

/** The table of the request log. */
export const requestLogSchema = `
CREATE TABLE requestLog (
  id INTEGER PRIMARY KEY, time INTEGER NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL, status INTEGER NOT NULL, operation TEXT,
  unread TEXT NOT NULL, app TEXT, user TEXT,
  errorCode TEXT, errorMessage TEXT);
`;

/** One answered request. */
export interface RequestLogEntry {
  /** Time of the request in milliseconds since 1970. */
  readonly time: number;
  readonly method: string;
  /** The path with its query, from which tokens have been removed. */
  readonly path: string;
  readonly status: number;
  /** The ID of the operation; absent for an unknown route, a rejection before routing and an internal error. */
  readonly operation: string | undefined;
  /** Members of the body and query parameters that the operation does not read. */
  readonly unread: readonly string[];
  /** Name of the application; absent if the request was rejected before it was known. */
  readonly app?: string | undefined;
  /** Name and number of the user. */
  readonly user?: string | undefined;
  /** Code of the error of a rejected request. If the error has details, the code of the first one. */
  readonly errorCode?: string | undefined;
  /** Message of the same error. */
  readonly errorMessage?: string | undefined;
}
/** The members that may be absent from an entry, and are NULL in the table. */
const optionalColumns = ['operation', 'app', 'user', 'errorCode', 'errorMessage'] as const;
type StoredColumns = 'unread' | (typeof optionalColumns)[number];
interface StoredEntry
  extends Omit<RequestLogEntry, StoredColumns>, Record<(typeof optionalColumns)[number], string | null> {
  readonly unread: string;
}
/** An entry of the log, with the number by which its body can be read. */
export interface NumberedRequest extends RequestLogEntry {
  readonly id: number;
}

/** Number of requests whose bodies are retained in memory, and the maximum size of a body in bytes. */
const mostBodies = 500;
const longestBody = 16_384;

/** The request log. Entries are buffered and written in batches, so that a read does not need a commit. */
export class RequestLog {
  readonly #add;
  readonly #trim;
  readonly #list;
  readonly #rows: () => number;
  readonly #changes;
  #buffer: { readonly entry: RequestLogEntry; readonly body: Uint8Array | undefined }[] = [];
  readonly #bodies = new Map<number, Uint8Array>();

  /** @param rows returns the maximum number of entries. */
  constructor(db: Database, rows: () => number) {
    this.#add = prepareInsert<StoredEntry>(db, 'requestLog', [
      'time',
      'method',
      'path',
      'status',
      'unread',
      ...optionalColumns,
    ]);
    this.#trim = prepare(db, 'DELETE FROM requestLog WHERE id <= (SELECT max(id) FROM requestLog) - :rows');
    this.#list = prepare<StoredEntry & { readonly id: number }>(
      db,
      'SELECT id, time, method, path, status, unread, operation, app, user, errorCode, errorMessage FROM requestLog ORDER BY id',
    );
    this.#rows = rows;
    this.#changes = changesOf(db);
  }

  /** @param body the JSON body of the request, if it has one. */
  add(entry: RequestLogEntry, body?: Uint8Array): void {
    const isRetained = body !== undefined && body.length > 0 && body.length <= longestBody;
    this.#buffer.push({ entry, body: isRetained ? body : undefined });
    this.#changes.note('requests');
  }

  get isFull(): boolean {
    return this.#buffer.length >= 1000;
  }

  /** Writes the buffered entries; called in a transaction. */
  flush(): void {
    for (const { entry, body } of this.#buffer) {
      const { time, method, path, status, unread } = entry;
      const { id } = this.#add.run({
        time,
        method,
        path,
        status,
        unread: JSON.stringify(unread),
        operation: entry.operation ?? null,
        app: entry.app ?? null,
        user: entry.user ?? null,
        errorCode: entry.errorCode ?? null,
        errorMessage: entry.errorMessage ?? null,
      });
      if (body) this.#keepBody(id, body);
    }
    if (this.#buffer.length > 0) this.#trim.run({ rows: this.#rows() });
    this.#buffer = [];
  }

  /** Discards the buffered entries and all bodies. */
  clear(): void {
    this.#buffer = [];
    this.#bodies.clear();
  }

  list(): readonly RequestLogEntry[] {
    const stored = this.#list.all().map(toEntry);
    return [...stored, ...this.#buffer.map(({ entry }) => entry)].slice(-this.#rows());
  }

  /** Returns the newest entries, oldest first. Entries that are not written yet are missing. */
  numbered(limit: number): readonly (NumberedRequest & { readonly hasBody: boolean })[] {
    return this.#list
      .all()
      .slice(-limit)
      .map((row) => Object.assign(toEntry(row), { id: row.id, hasBody: this.#bodies.has(row.id) }));
  }

  /** Returns the JSON body of a request as text; undefined if it is no longer retained. */
  body(id: number): string | undefined {
    const bytes = this.#bodies.get(id);
    return bytes && new TextDecoder().decode(bytes);
  }

  #keepBody(id: number, body: Uint8Array): void {
    // A copy, because the bytes may be part of a larger buffer.
    this.#bodies.set(id, body.slice());
    if (this.#bodies.size <= mostBodies) return;
    const [oldest] = this.#bodies.keys();
    if (oldest !== undefined) this.#bodies.delete(oldest);
  }
}

function toEntry({ time, method, path, status, operation, unread, ...more }: StoredEntry): RequestLogEntry {
  const { app, user, errorCode, errorMessage } = more;
  return {
    time,
    method,
    path,
    status,
    operation: operation ?? undefined,
    unread: JSON.parse(unread) as string[],
    ...(app !== null && { app }),
    ...(user !== null && { user }),
    ...(errorCode !== null && { errorCode }),
    ...(errorMessage !== null && { errorMessage }),
  };
}

/** Returns code and message of the error of a rejected request, as the log shows them. @param body JSON of the reply */
export function errorOf(status: number, body: unknown): Pick<RequestLogEntry, 'errorCode' | 'errorMessage'> {
  if (status < 400) return {};
  const { errors: [detail] = [], errorCode, message } = (body ?? {}) as Partial<ErrorReply>;
  return { errorCode: detail?.errorCode ?? errorCode, errorMessage: detail?.message ?? message };
}

/** Returns application and user of a request, as the log names them. */
export function callerNames({
  app,
  extension,
}: {
  readonly app: { readonly name: string };
  readonly extension: { readonly name: string; readonly extensionNumber: string | null };
}): Pick<RequestLogEntry, 'app' | 'user'> {
  const number = extension.extensionNumber;
  return { app: app.name, user: number === null ? extension.name : `${extension.name} (${number})` };
}

/** Returns the path with query, without tokens. */
export function shownPath({ pathname, search, searchParams }: URL): string {
  if (search === '') return pathname;
  const shown = new URLSearchParams(searchParams);
  for (const secret of ['access_token', 'token', 'wsc']) if (shown.has(secret)) shown.set(secret, '***');
  return shown.size > 0 ? `${pathname}?${shown.toString()}` : pathname;
}

/** Returns the target of a request that has no valid URL, without tokens. */
export function shownTarget(target: string): string {
  const url = target.startsWith('/') ? `http://127.0.0.1${target}` : target;
  if (/^https?:/i.test(url) && URL.canParse(url)) return shownPath(new URL(url));
  return target.split('?', 1)[0] ?? '';
}
