import type { Queries } from '../platform/postgres/postgres.ts';
import type { Migration } from './migration.ts';
import { partsOfTable } from './table-parts.ts';

/** The database objects of a store with these steps. */
export interface StoreObjects {
  readonly tables: readonly string[];
  /** Columns, such as `column own of mailbox`. */
  readonly columns: readonly string[];
  /** Primary and unique keys, such as `unique key (kind, subject) of fleet_task`. */
  readonly keys: readonly string[];
  readonly functions: readonly string[];
  readonly indexes: readonly string[];
  /** Views by name, each with its query. */
  readonly views: Readonly<Record<string, string>>;
}

/** The beginning of a statement that creates, drops or extends an object. */
const statement =
  /\b(?:(create|drop) (?:or replace )?(?:unlogged )?(?:unique )?(table|function|index)(?: if (?:not )?exists)? (\w+)|alter table (\w+) add column (\w+))/gi;

/** Returns the objects that the statements of the steps create. */
export function objectsOf(steps: readonly Migration[]): StoreObjects {
  const sql = steps.map((step) => step.sql.replaceAll(/--.*$/gm, '')).join(';\n');
  const found = { table: new Set<string>(), function: new Set<string>(), index: new Set<string>() };
  const columns: string[] = [];
  const keys: string[] = [];
  for (const match of sql.matchAll(statement)) {
    const [whole, verb = '', kind = '', name = '', extended = '', column = ''] = match;
    if (extended !== '') {
      columns.push(`column ${column} of ${extended}`);
      continue;
    }
    const names = found[kind.toLowerCase() as keyof typeof found];
    if (verb.toLowerCase() === 'drop') names.delete(name);
    else names.add(name);
    if (verb.toLowerCase() !== 'create' || kind.toLowerCase() !== 'table') continue;
    const parts = partsOfTable(sql.slice(match.index + whole.length));
    columns.push(...parts.columns.map((one) => `column ${one} of ${name}`));
    keys.push(...parts.keys.map((one) => `${one} of ${name}`));
  }
  return {
    tables: [...found.table],
    columns,
    keys,
    functions: [...found.function],
    indexes: [...found.index],
    views: Object.assign({}, ...steps.map(({ views }) => views ?? {})) as Readonly<Record<string, string>>,
  };
}

/** The objects of a schema, with the names that `missingObjects` returns. */
const catalogSql = `
select case relkind when 'v' then 'view' when 'i' then 'index' when 'I' then 'index' else 'table' end || ' ' || relname as name
  from pg_class where relnamespace = to_regnamespace($1) and relkind in ('r', 'p', 'v', 'i', 'I') and (relkind <> 'i' or exists (
    select 1 from pg_index where indexrelid = pg_class.oid and indisvalid))
union all select 'function ' || proname from pg_proc where pronamespace = to_regnamespace($1)
union all select 'column ' || attname || ' of ' || relname from pg_attribute join pg_class on pg_class.oid = attrelid
  where relnamespace = to_regnamespace($1) and relkind in ('r', 'p') and attnum > 0 and not attisdropped
union all select case contype when 'p' then 'primary' else 'unique' end || ' key (' || (
    select string_agg(attname, ', ' order by place) from unnest(conkey) with ordinality as part (number, place)
      join pg_attribute on attrelid = conrelid and attnum = number
  ) || ') of ' || relname from pg_constraint join pg_class on pg_class.oid = conrelid
  where relnamespace = to_regnamespace($1) and contype in ('p', 'u')`;

/** Objects that the schema lacks, such as `view v_message`. Omits the parts of a missing table. @throws {StoreError} */
export async function missingObjects(
  db: Queries,
  schema: string,
  steps: readonly Migration[],
): Promise<readonly string[]> {
  const { tables, columns, keys, functions, indexes, views } = objectsOf(steps);
  const rows = await db.query<{ name: string }>(catalogSql, [schema]);
  const found = new Set(rows.map(({ name }) => name));
  const exists = (part: string): boolean => found.has(`table ${part.slice(part.lastIndexOf(' ') + 1)}`);
  return [
    ...tables.map((name) => `table ${name}`),
    ...columns.filter(exists),
    ...keys.filter(exists),
    ...functions.map((name) => `function ${name}`),
    ...indexes.map((name) => `index ${name}`),
    ...Object.keys(views).map((name) => `view ${name}`),
  ].filter((name) => !found.has(name));
}
