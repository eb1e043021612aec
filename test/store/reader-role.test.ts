import { escapeIdentifier } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  checkStore,
  connectStore,
  initializeStore,
  migrateStore,
  migrations,
  type Migration,
  type Postgres,
} from '../../src/store/index.ts';
import { emptyStore, postgresMissing, type TestStore } from '../support/postgres.ts';

/** The steps before functions that run as the owner ignored temporary tables. */
const earlier = migrations.filter(({ number }) => number < 13);

/** A store, and a connection of a user who has only its reader role. */
async function storeWithReader(
  steps: readonly Migration[],
): Promise<TestStore & { readonly reader: Postgres; readonly role: string }> {
  const store = await emptyStore();
  const role = `${store.schema}_r`;
  await initializeStore(store.db, { reader: role }, steps);
  await store.db.script(`alter role ${role} login`);
  const url = new URL(store.url);
  url.username = role;
  const reader = connectStore({ url: url.href, source: 'the test', env: {} });
  onTestFinished(async () => {
    await reader.close();
    await store.db.script(`drop owned by ${role}; drop role ${role}`);
  });
  return { ...store, reader, role };
}

/** Records a position while temporary tables of the reader have the names of tables of the store. */
function advanceWithTemporaryTables(reader: Postgres, schema: string): Promise<void> {
  return reader.transaction(async (transaction) => {
    await transaction.script(`
      create temporary table feed_trim (tx xid8, change_id bigint);
      create temporary table feed_reader (name text primary key, tx xid8, change_id bigint, read_at timestamptz);
      create function pg_temp.note_user() returns trigger language plpgsql as $$ begin
        insert into ${escapeIdentifier(schema)}.audit (machine_time, action, subject, count) values ('', 'run', current_user, 0);
        return new;
      end $$;
      create trigger note_user before insert on feed_reader for each row execute function pg_temp.note_user();
      grant all on feed_trim, feed_reader to public;`);
    await transaction.query(
      `select ${escapeIdentifier(schema)}.feed_advance('report', '10'::xid8, '1'::bigint)`,
    );
  });
}

async function checkOfFunctions(db: Postgres): Promise<unknown> {
  const findings = await checkStore(
    db,
    () => 0,
    (check, error) => ({ check, result: 'fail', found: String(error) }),
  );
  return findings.find(({ check }) => check === 'functions');
}

describe.skipIf(postgresMissing())('the reader role', () => {
  it.each([
    ['a new store', migrations],
    ['a store that was migrated', earlier],
  ])('cannot run statements as the owner of %s', async (_, steps) => {
    const { db, schema, reader } = await storeWithReader(steps);
    await migrateStore(db);
    await advanceWithTemporaryTables(reader, schema);
    expect(await db.query('select subject from audit')).toEqual([]);
    expect(await db.query('select name, tx::text from feed_reader')).toEqual([{ name: 'report', tx: '10' }]);
  });

  it('fails store check while it can run statements as the owner', async () => {
    const { db, schema, reader } = await storeWithReader(migrations);
    const name = `${schema}.feed_advance`;
    const found = `users of the reader role can run statements as the owner of ${name}`;
    expect(await checkOfFunctions(reader)).toMatchObject({ result: 'ok' });
    await db.script(`alter function ${name} set search_path = ${schema}`);
    const repair = `alter function ${name}(reader text, to_tx xid8, to_change bigint) set search_path = ${schema}, pg_temp`;
    expect(await checkOfFunctions(reader)).toMatchObject({
      result: 'fail',
      found,
      todo: `run "${repair}" as the owner of the store`,
    });
    await db.script(repair);
    expect(await checkOfFunctions(reader)).toMatchObject({ result: 'ok' });
  });
});
