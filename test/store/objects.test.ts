import { describe, expect, it } from 'vitest';
import { migrations, objectsOf } from '../../src/store/index.ts';
import { postgresMissing, testStore } from '../support/postgres.ts';

const catalog = `
select 'table ' || relname as name from pg_class where relnamespace = to_regnamespace($1) and relkind in ('r', 'p')
union all select 'column ' || attname || ' of ' || relname from pg_attribute join pg_class on pg_class.oid = attrelid
  where relnamespace = to_regnamespace($1) and relkind in ('r', 'p') and attnum > 0 and not attisdropped
union all select case contype when 'p' then 'primary' else 'unique' end || ' key (' || (
    select string_agg(attname, ', ' order by place) from unnest(conkey) with ordinality as part (number, place)
      join pg_attribute on attrelid = conrelid and attnum = number
  ) || ') of ' || relname from pg_constraint join pg_class on pg_class.oid = conrelid
  where relnamespace = to_regnamespace($1) and contype in ('p', 'u')
union all select 'function ' || proname from pg_proc where pronamespace = to_regnamespace($1)
union all select 'index ' || relname from pg_index join pg_class on pg_class.oid = indexrelid
  where relnamespace = to_regnamespace($1) and not exists (select 1 from pg_constraint where conindid = indexrelid)
union all select 'view ' || relname from pg_class where relnamespace = to_regnamespace($1) and relkind = 'v'`;

describe.skipIf(postgresMissing())('the objects of the schema', () => {
  it('are exactly those that its steps create', async () => {
    const { db, schema } = await testStore();
    const found = await db.query<{ name: string }>(catalog, [schema]);
    // The tables of the migrations themselves are not part of a step.
    const created = found.map(({ name }) => name).filter((name) => !/store_(migration|setting)$/.test(name));
    const { tables, columns, keys, functions, indexes, views } = objectsOf(migrations);
    const expected = [
      ...tables.map((name) => `table ${name}`),
      ...columns,
      ...keys,
      ...functions.map((name) => `function ${name}`),
      ...indexes.map((name) => `index ${name}`),
      ...Object.keys(views).map((name) => `view ${name}`),
    ];
    expect(created.toSorted()).toEqual(expected.toSorted());
  });
});
