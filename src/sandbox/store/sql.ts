import type { Database } from '../../platform/sqlite.ts';
import { keptRowsOf } from './kept-rows.ts';

export type Value = string | number | bigint | null | Uint8Array;

/** A prepared statement with typed rows. */
export interface Query<Row> {
  get(...values: Value[]): Row | undefined;
  all(...values: Value[]): Row[];
  run(...values: Value[]): { readonly changes: number; readonly id: number };
}

/** A statement that is prepared when it is first run: most of a sandbox's statements never are. Its rows are typed by the caller. */
export function prepare<Row = never>(db: Database, sql: string): Query<Row> {
  let prepared: ReturnType<Database['prepare']> | undefined;
  const statement = () => (prepared ??= db.prepare(sql));
  const kept = keptRowsOf(db);
  return {
    get: (...values) => statement().get(...values) as Row | undefined,
    all: (...values) => statement().all(...values) as Row[],
    run(...values) {
      kept.forget();
      const { changes, lastInsertRowid } = statement().run(...values);
      return { changes, id: Number(lastInsertRowid) };
    },
  };
}

/** Reads one row by its key. */
export type ReadByKey<Row> = (key: string | number) => Row | undefined;

/** Prepares a read of one row by one key, which is kept while nothing is written; `name` is this statement's alone. */
export function prepareKept<Row>(db: Database, name: string, sql: string): ReadByKey<Row> {
  const query = prepare<Row>(db, sql);
  const kept = keptRowsOf(db);
  return (key) => kept.get(name, key, () => query.get(key));
}

/** Statements whose text depends on the filters given: prepared once for each text. */
export class QueryCache {
  readonly #db: Database;
  readonly #queries = new Map<string, Query<unknown>>();

  constructor(db: Database) {
    this.#db = db;
  }

  query<Row>(sql: string): Query<Row> {
    const known = this.#queries.get(sql);
    if (known) return known as Query<Row>;
    const fresh = prepare<Row>(this.#db, sql);
    this.#queries.set(sql, fresh);
    return fresh;
  }
}

/** Conditions of a list, joined by AND. */
export class Where {
  readonly #terms: string[] = [];
  readonly values: Value[] = [];

  add(term: string, ...values: Value[]): this {
    this.#terms.push(term);
    this.values.push(...values);
    return this;
  }

  /** `column IN (...)`, or nothing when no list was given. */
  in(column: string, list: readonly Value[] | undefined): this {
    if (!list) return this;
    return this.add(`${column} IN (${list.map(() => '?').join(', ')})`, ...list);
  }

  get text(): string {
    return this.#terms.length === 0 ? '' : `WHERE ${this.#terms.join(' AND ')}`;
  }
}

/** Which rows of a list: `limit` from `offset`. */
export interface Window {
  readonly limit: number;
  readonly offset: number;
}
export interface Slice<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}
