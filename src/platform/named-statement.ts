import type { Database } from './sqlite.ts';

/** A prepared statement without iteration, so that several callers can share it. */
export type Statement = Pick<ReturnType<Database['prepare']>, 'get' | 'all' | 'run'>;

/** Prepares statements: a database, or `CachedStatements`. */
export interface Preparer {
  prepare(sql: string): Statement;
}

export type SqlValue = string | number | bigint | null | Uint8Array;
/** Values by parameter name; a statement writes them as `:name`. */
export type SqlValues = Readonly<Record<string, SqlValue>>;

/** A prepared statement with typed rows. Members of `values` that the statement does not name are ignored. */
export interface NamedStatement<Row, Given extends object = SqlValues> {
  get(values?: Given): Row | undefined;
  all(values?: Given): Row[];
  run(values?: Given): { readonly changes: number; readonly id: number };
}

/** How an INSERT handles a row whose key exists. By default, the statement fails. */
export type OnConflict = 'IGNORE' | 'REPLACE' | `ON CONFLICT ${string}`;

/**
 * Returns a statement that is prepared when it first runs, because most statements of a run never run. The caller
 * specifies the type of the rows. Parameters are named in the text but bound by position: binding by name takes two to
 * three times as long on Node 20.
 */
export function prepareNamed<Row = never, Given extends object = SqlValues>(
  db: Preparer,
  sql: string,
): NamedStatement<Row, Given> {
  let prepared: Prepared | undefined;
  const ready = () =>
    (prepared ??= { statement: db.prepare(sql.replaceAll(parameter, '?')), names: parameterNames(sql) });
  return {
    get(values) {
      const { statement, names } = ready();
      return statement.get(...valuesOf(sql, names, values)) as Row | undefined;
    },
    all(values) {
      const { statement, names } = ready();
      return statement.all(...valuesOf(sql, names, values)) as Row[];
    },
    run(values) {
      const { statement, names } = ready();
      const { changes, lastInsertRowid } = statement.run(...valuesOf(sql, names, values));
      return { changes, id: Number(lastInsertRowid) };
    },
  };
}

/** Returns the text of an INSERT of one row; the columns are the parameters. */
export function insertText(table: string, columns: readonly string[], conflict?: OnConflict): string {
  const isVerb = conflict === 'IGNORE' || conflict === 'REPLACE';
  const verb = isVerb ? `INSERT OR ${conflict}` : 'INSERT';
  const clause = conflict === undefined || isVerb ? '' : ` ${conflict}`;
  const parameters = columns.map((name) => `:${name}`);
  return `${verb} INTO ${table} (${columns.join(', ')}) VALUES (${parameters.join(', ')})${clause}`;
}

/** Inserts one row; its members are the columns. Statements that run often are prepared with `insertText` instead. */
export function insertRow(db: Preparer, table: string, row: SqlValues, conflict?: OnConflict): void {
  prepareNamed(db, insertText(table, Object.keys(row), conflict)).run(row);
}

interface Prepared {
  readonly statement: Statement;
  readonly names: readonly string[];
}

/** Returns the values in the order of the names. A loop instead of map, because this runs for every statement. */
function valuesOf(sql: string, names: readonly string[], given: object = {}): SqlValue[] {
  const values: SqlValue[] = [];
  for (const name of names) {
    const value = (given as Partial<SqlValues>)[name];
    if (value === undefined) throw new Error(`Parameter :${name} has no value in the statement ${sql}`);
    values.push(value);
  }
  return values;
}

/** Parameters in the text of a statement: a colon and a name. */
export const parameter = /:[A-Za-z]\w*/g;

/** Parameter names in order of occurrence, with repetitions. */
export function parameterNames(sql: string): readonly string[] {
  return (sql.match(parameter) ?? []).map((name) => name.slice(1));
}
