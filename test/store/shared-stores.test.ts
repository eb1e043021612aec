import { describe, expect, it } from 'vitest';
import { clockStore, postgresMissing, storeClock, testStore, type TestStore } from '../support/postgres.ts';

/** Uses a store as one test does, to its end. @returns what the work found. */
async function useOpened<S, T>(
  open: (atEnd: (end: () => Promise<void>) => void) => Promise<S>,
  work: (store: S) => Promise<T>,
): Promise<T> {
  const ends: (() => Promise<void>)[] = [];
  const store = await open((end) => ends.push(end));
  try {
    return await work(store);
  } finally {
    for (const end of ends) await end();
  }
}

function useStore<T>(work: (store: TestStore) => Promise<T>): Promise<T> {
  return useOpened((atEnd) => testStore(undefined, atEnd), work);
}

/** All rows of a store by table, and the state of its sequences. */
async function contentOf({ db, schema }: TestStore): Promise<readonly string[]> {
  const names = await db.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = (select oid from pg_namespace where nspname = $1) and relkind in ('r', 'S') order by 1",
    [schema],
  );
  const found: string[] = [];
  for (const { name } of names) {
    const columns = name.endsWith('_seq') ? 'last_value, is_called' : '*';
    const [row] = await db.query<{ text: string | null }>(
      `select json_agg(found)::text as text from (select ${columns} from "${name}") as found`,
    );
    found.push(`${name}: ${row?.text ?? ''}`);
  }
  return found;
}

/** What identifies a store under every name. */
async function idOf({ db, schema }: TestStore): Promise<unknown> {
  const [found] = await db.query<{ oid: number }>('select oid from pg_namespace where nspname = $1', [
    schema,
  ]);
  return found?.oid;
}

describe.skipIf(postgresMissing())('the stores of tests', () => {
  it('are used again, with a new name and only the rows and sequences of their initialization', async () => {
    const first = await useStore(async (store) => ({
      name: store.schema,
      id: await idOf(store),
      content: await contentOf(store),
    }));
    await useStore(async (store) => {
      expect([await idOf(store), store.schema === first.name]).toEqual([first.id, false]);
      await store.db.script(`insert into mailbox (extension_id) values ('1');
        insert into audit (at, machine_time, by_user, action, subject, count) values (now(), now(), 'me', 'rule', 'x', 0)`);
      expect(await contentOf(store)).not.toEqual(first.content);
    });
    await useStore(async (store) => {
      expect(await idOf(store)).toBe(first.id);
      expect(await contentOf(store)).toEqual(first.content);
      // This function names the schema in which it works.
      await store.db.query("select feed_advance('report', '1'::xid8, 1)");
      expect(await store.db.query('select name from feed_reader')).toEqual([{ name: 'report' }]);
    });
    await useStore(async (store) => expect(await idOf(store)).toBe(first.id));
  });

  it('are used again with a clock that the test sets', async () => {
    const useClock = (start: number): Promise<unknown> =>
      useOpened(
        (atEnd) => clockStore(start, atEnd),
        async (store) => {
          const [now] = await store.db.query('select extract(epoch from store_now())::int as now');
          await store.setClock(start + 60_000);
          const [later] = await store.db.query('select extract(epoch from store_now())::int as now');
          expect([now, later]).toEqual([{ now: start / 1000 }, { now: start / 1000 + 60 }]);
          return idOf(store);
        },
      );
    expect(await useClock(2_000_000)).toBe(await useClock(1_000_000));
    // A store with such a clock is not used by other tests.
    await useStore(async (store) =>
      expect(await store.db.query("select to_regclass('test_clock') as clock")).toEqual([{ clock: null }]),
    );
  });

  it.each([
    ['a replaced function', ({ db }: TestStore) => storeClock(db, 0)],
    ['a new column', ({ db }: TestStore) => db.script('alter table mailbox add column more int')],
    ['a new index', ({ db }: TestStore) => db.script('create index more on mailbox (name)')],
    [
      'another default',
      ({ db }: TestStore) => db.script("alter table mailbox alter column name set default 'Bob'"),
    ],
    ['a removed table', ({ db }: TestStore) => db.script('drop table mailbox cascade')],
    ['a privilege', ({ db }: TestStore) => db.script('grant select on mailbox to public')],
    [
      'a privilege of the schema',
      ({ db, schema }: TestStore) => db.script(`grant usage on schema "${schema}" to public`),
    ],
    ['a removed store', ({ db, schema }: TestStore) => db.script(`drop schema "${schema}" cascade`)],
  ])('are removed after %s', async (_, change) => {
    const id = await useStore(async (store) => {
      const before = await idOf(store);
      await change(store);
      return before;
    });
    await useStore(async (store) => {
      expect(await idOf(store)).not.toBe(id);
      expect(await store.db.query('select 1 from pg_namespace where oid = $1', [id as number])).toEqual([]);
    });
  });
});
