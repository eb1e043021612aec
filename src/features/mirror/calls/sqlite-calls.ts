import type { CallLogRecord } from '../../../contract/call-log.ts';
import type {
  CallCounts,
  CallFilter,
  CallStore,
  CallStream,
  CopiedCalls,
  KnownExtension,
} from '../../../store/call-store.ts';
import { transaction, type Database } from '../../../platform/sqlite.ts';
import { CallTable, type CopyCounts } from './call-table.ts';
import { callsOf } from './erase-calls.ts';
import { knownExtensions, saveExtensions } from './extensions.ts';
import { localCalls } from './local-calls.ts';
import { hasCalls, prepareCalls } from './schema.ts';
import { copiedCallsOf, copiedCallsSql, type CopiedCallsRow } from './stream-row.ts';
import { readStream, saveStream } from './stream.ts';

/** The call tables in the SQLite file of a mailbox copy. */
export class SqliteCalls implements CallStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async prepare(): Promise<void> {
    prepareCalls(this.#db);
  }

  stream(scope: string): Promise<CallStream | undefined> {
    return Promise.resolve(hasCalls(this.#db) ? readStream(this.#db, scope) : undefined);
  }

  async apply(
    scope: string,
    records: readonly CallLogRecord[],
    stream: CallStream,
    isErased: (numbers: readonly string[]) => boolean,
  ): Promise<CallCounts> {
    const counts: CopyCounts = { received: 0, added: 0, changed: 0, unchanged: 0, erased: 0 };
    const table = new CallTable(this.#db, scope, isErased);
    transaction(this.#db, () => {
      for (const record of records) table.put(record, counts);
      saveStream(this.#db, scope, stream);
    });
    return counts;
  }

  unfinished(scope: string, from: number, before: number): Promise<readonly string[]> {
    const between = [new Date(from).toISOString(), new Date(before).toISOString()] as const;
    const rows = this.#db
      .prepare(
        'SELECT record_id AS id FROM call_record WHERE scope = ? AND unfinished = 1 AND start_time >= ? AND start_time < ?',
      )
      .all(scope, ...between) as { readonly id: string }[];
    return Promise.resolve(rows.map(({ id }) => id));
  }

  calls(filter: CallFilter): Iterable<CallLogRecord> {
    return localCalls(this.#db, filter);
  }

  async saveExtensions(extensions: readonly KnownExtension[]): Promise<void> {
    saveExtensions(this.#db, extensions);
  }

  extensions(): Promise<readonly KnownExtension[]> {
    return Promise.resolve(knownExtensions(this.#db));
  }

  async status(now: number): Promise<readonly CopiedCalls[]> {
    if (!hasCalls(this.#db)) return [];
    const rows = this.#db.prepare(copiedCallsSql).all() as unknown as readonly CopiedCallsRow[];
    return rows.map((row) => copiedCallsOf(row, now));
  }

  callsOf(number: string): Promise<number> {
    return Promise.resolve(callsOf(this.#db, number));
  }
}
