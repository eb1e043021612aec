import {
  insertText,
  parameter,
  parameterNames,
  prepareNamed,
  type NamedStatement,
  type SqlValue,
  type SqlValues,
} from '../../platform/named-statement.ts';
import type { Database } from '../../platform/sqlite.ts';
import { cachedRowsOf } from './cached-rows.ts';
import { changesOf, topicOf } from './changes.ts';

export type Value = SqlValue;
export type Values = SqlValues;
export type Query<Row, Given extends object = Values> = NamedStatement<Row, Given>;

/** Returns a statement like those of `prepareNamed`. Its writes also clear the cache of rows and notify the console. */
export function prepare<Row = never, Given extends object = Values>(
  db: Database,
  sql: string,
): Query<Row, Given> {
  const statement = prepareNamed<Row, Given>(db, sql);
  const cached = cachedRowsOf(db);
  const changes = changesOf(db);
  const topic = topicOf(sql);
  return {
    get: (values) => statement.get(values),
    all: (values) => statement.all(values),
    run(values) {
      cached.forget();
      if (topic !== undefined) changes.note(topic);
      return statement.run(values);
    },
  };
}

/** Prepares an INSERT of one row; the columns are the parameters. */
export function prepareInsert<Row extends { readonly [K in keyof Row]: Value } = Values>(
  db: Database,
  table: string,
  columns: readonly (keyof Row & string)[],
  conflict?: 'IGNORE' | 'REPLACE',
): Query<never, Row> {
  return prepare<never, Row>(db, insertText(table, columns, conflict));
}

/** Reads one row by its key. */
export type ReadByKey<Row> = (key: string | number) => Row | undefined;

/**
 * Prepares a read of one row by one key, which is cached until the next write; `name` must be unique to this statement.
 */
export function prepareCached<Row>(db: Database, name: string, sql: string): ReadByKey<Row> {
  const query = prepare<Row>(db, sql);
  const [keyName = ''] = parameterNames(sql);
  const cached = cachedRowsOf(db);
  return (key) => cached.get(name, key, () => query.get({ [keyName]: key }));
}

/** Statements whose text depends on the given filters; each text is prepared once. */
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
export class Conditions {
  readonly #terms: string[] = [];
  readonly #values: Record<string, Value> = {};
  readonly #prefix: string;

  /** The prefix distinguishes the parameters from the parameters of other conditions in the same statement. */
  constructor(prefix = '') {
    this.#prefix = prefix;
  }

  add(term: string, values: Values = {}): this {
    this.#terms.push(
      this.#prefix === '' ? term : term.replaceAll(parameter, (name) => `:${this.#named(name.slice(1))}`),
    );
    for (const [name, value] of Object.entries(values)) this.#set(this.#named(name), value);
    return this;
  }

  /** Adds `column IN (...)`, or no condition without a list. */
  in(column: string, list: readonly Value[] | undefined): this {
    if (!list) return this;
    const values = Object.fromEntries(list.map((value, index) => [`${column}${index}`, value] as const));
    return this.add(
      `${column} IN (${Object.keys(values)
        .map((name) => `:${name}`)
        .join(', ')})`,
      values,
    );
  }

  get values(): Values {
    return this.#values;
  }

  /** Returns all conditions, joined; empty if there are no conditions. */
  get condition(): string {
    return this.#terms.join(' AND ');
  }

  /** Returns the WHERE clause; empty if there are no conditions. */
  get text(): string {
    return this.#terms.length === 0 ? '' : `WHERE ${this.condition}`;
  }

  #named(name: string): string {
    return this.#prefix + name;
  }

  #set(name: string, value: Value): void {
    const known = this.#values[name];
    if (known !== undefined && known !== value) throw new Error(`Parameter :${name} has two values`);
    this.#values[name] = value;
  }
}

/** A range of the rows of a list: `limit` rows from `offset`. */
export interface RowWindow {
  readonly limit: number;
  readonly offset: number;
}
export interface Slice<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}
