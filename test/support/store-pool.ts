import type { Postgres } from '../../src/store/index.ts';

/** An initialized store, and what it contained before its first use. */
export interface IdleStore {
  readonly schema: string;
  /** Changes with every definition in the schema (`definitionsOf`). */
  readonly definitions: string;
  /** The rows of the initialization by table, as JSON. */
  readonly rows: readonly Rows[];
}

interface Rows {
  readonly table: string;
  readonly json: string;
}

/** A store with more data is removed, because deleted rows remain in its files. */
const mostBytes = 4_000_000;

/**
 * Stores of this worker that tests have used and emptied. To initialize and remove a store takes ten times the
 * processor time.
 */
const idle: IdleStore[] = [];

/**
 * A store as it was after its initialization, under a new name: what an earlier test left running cannot change it.
 * @returns undefined if none is idle.
 */
export async function takeIdle(db: Postgres, schema: string): Promise<IdleStore | undefined> {
  const store = idle.pop();
  if (store === undefined) return undefined;
  await db.script(`alter schema "${store.schema}" rename to "${schema}"`);
  // These functions name the schema.
  const functions = await db.query<{ name: string }>(
    `select oid::regprocedure::text as name from pg_proc where pronamespace = '"${schema}"'::regnamespace and proconfig is not null`,
  );
  for (const { name } of functions) await db.script(`alter function ${name} set search_path to "${schema}"`);
  return { ...store, schema, definitions: (await definitionsOf(db, schema)).definitions };
}

/** Notes the state of a store that was just initialized. */
export async function noteInitialized(db: Postgres, schema: string): Promise<IdleStore> {
  const { definitions } = await definitionsOf(db, schema);
  const rows: Rows[] = [];
  for (const table of await tablesOf(db, schema)) {
    const [found] = await db.query<{ json: string | null }>(
      `select json_agg(row)::text as json from "${schema}"."${table}" as row`,
    );
    if (typeof found?.json === 'string') rows.push({ table, json: found.json });
  }
  return { schema, definitions, rows };
}

/**
 * Gives a store back as it was after its initialization.
 * @returns false if this is not possible, because definitions changed or the store has much data.
 */
export async function giveBack(db: Postgres, store: IdleStore): Promise<boolean> {
  const { schema } = store;
  const { definitions, bytes } = await definitionsOf(db, schema);
  if (definitions !== store.definitions || bytes > mostBytes) return false;
  const tables = (await tablesOf(db, schema)).map((table) => `delete from "${schema}"."${table}"`);
  const rows = store.rows.map(
    ({ table, json }) =>
      `insert into "${schema}"."${table}" overriding system value select * from json_populate_recordset(null::"${schema}"."${table}", ${literal(json)})`,
  );
  await db.transaction(async (transaction) => {
    // Neither foreign keys nor triggers apply, and sequences begin again.
    const statements = [
      'set local session_replication_role = replica',
      ...tables,
      ...rows,
      `select setval(c.oid::regclass, seqstart, false) from pg_sequence join pg_class as c on c.oid = seqrelid where relnamespace = '"${schema}"'::regnamespace`,
    ];
    await transaction.script(statements.join(';\n'));
  });
  idle.push(store);
  return true;
}

async function tablesOf(db: Postgres, schema: string): Promise<readonly string[]> {
  const rows = await db.query<{ name: string }>(
    'select tablename as name from pg_tables where schemaname = $1 order by 1',
    [schema],
  );
  return rows.map(({ name }) => name);
}

/**
 * A hash of the catalog rows of a schema. Each statement that defines, changes, grants or removes something stores a
 * new version of such a row, and so does TRUNCATE.
 */
async function definitionsOf(
  db: Postgres,
  schema: string,
): Promise<{ readonly definitions: string; readonly bytes: number }> {
  const [found] = await db.query<{ definitions: string | null; bytes: number }>(
    `with relation as (select oid, xmin, relkind from pg_class where relnamespace = (select oid from pg_namespace where nspname = $1)),
      version (part) as (
        select 'namespace ' || oid || ' ' || nspowner || ' ' || coalesce(nspacl::text, '') from pg_namespace where nspname = $1
        union all select 'class ' || oid || ' ' || xmin from relation
        union all select 'attribute ' || attrelid || ' ' || attnum || ' ' || a.xmin from pg_attribute as a join relation on relation.oid = attrelid
        union all select 'default ' || d.oid || ' ' || d.xmin from pg_attrdef as d join relation on relation.oid = adrelid
        union all select 'index ' || indexrelid || ' ' || i.xmin from pg_index as i join relation on relation.oid = indexrelid
        union all select 'rule ' || r.oid || ' ' || r.xmin from pg_rewrite as r join relation on relation.oid = ev_class
        union all select 'trigger ' || t.oid || ' ' || t.xmin from pg_trigger as t join relation on relation.oid = tgrelid
        union all select 'policy ' || p.oid || ' ' || p.xmin from pg_policy as p join relation on relation.oid = polrelid
        union all select 'constraint ' || c.oid || ' ' || c.xmin from pg_constraint as c where connamespace = (select oid from pg_namespace where nspname = $1)
        union all select 'type ' || t.oid || ' ' || t.xmin from pg_type as t where typnamespace = (select oid from pg_namespace where nspname = $1)
        union all select 'function ' || f.oid || ' ' || f.xmin from pg_proc as f where pronamespace = (select oid from pg_namespace where nspname = $1)
      )
    select md5(string_agg(part, ',' order by part)) as definitions,
      (select coalesce(sum(pg_relation_size(oid)), 0)::int8 from relation where relkind = 'r') as bytes from version`,
    [schema],
  );
  return { definitions: found?.definitions ?? 'no schema', bytes: found?.bytes ?? 0 };
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
