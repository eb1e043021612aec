import type { Queries } from '../platform/postgres/postgres.ts';
import type { Migration } from './migration.ts';

/** The database objects of a store with these steps. */
export interface StoreObjects {
  readonly tables: readonly string[];
  readonly functions: readonly string[];
  readonly indexes: readonly string[];
  /** Views by name, each with its query. */
  readonly views: Readonly<Record<string, string>>;
}

/** Returns the objects that the statements of the steps create. */
export function objectsOf(steps: readonly Migration[]): StoreObjects {
  const sql = steps.map((step) => step.sql).join(';\n');
  const dropped = new Set(named(sql, /\bdrop (?:table|function|index)(?: if exists)? (\w+)/gi));
  const created = (pattern: RegExp): readonly string[] =>
    [...new Set(named(sql, pattern))].filter((name) => !dropped.has(name));
  return {
    tables: created(/\bcreate (?:unlogged )?table(?: if not exists)? (\w+)/gi),
    functions: created(/\bcreate (?:or replace )?function (\w+)/gi),
    indexes: created(/\bcreate (?:unique )?index(?: if not exists)? (\w+)/gi),
    views: Object.assign({}, ...steps.map(({ views }) => views ?? {})) as Readonly<Record<string, string>>,
  };
}

function named(sql: string, pattern: RegExp): readonly string[] {
  return [...sql.matchAll(pattern)].map(([, name = '']) => name);
}

/** Objects that the schema lacks, such as `view v_message`. @throws {StoreError} */
export async function missingObjects(
  db: Queries,
  schema: string,
  steps: readonly Migration[],
): Promise<readonly string[]> {
  const { tables, functions, indexes, views } = objectsOf(steps);
  const rows = await db.query<{ kind: string; name: string }>(
    `select case relkind when 'v' then 'view' when 'i' then 'index' when 'I' then 'index' else 'table' end as kind, relname as name
      from pg_class where relnamespace = to_regnamespace($1) and relkind in ('r', 'p', 'v', 'i', 'I') and (relkind <> 'i' or exists (
        select 1 from pg_index where indexrelid = pg_class.oid and indisvalid))
    union all select 'function', proname from pg_proc where pronamespace = to_regnamespace($1)`,
    [schema],
  );
  const found = new Set(rows.map(({ kind, name }) => `${kind} ${name}`));
  return [
    ...tables.map((name) => `table ${name}`),
    ...functions.map((name) => `function ${name}`),
    ...indexes.map((name) => `index ${name}`),
    ...Object.keys(views).map((name) => `view ${name}`),
  ].filter((name) => !found.has(name));
}
