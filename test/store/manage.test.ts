import { describe, expect, it } from 'vitest';
import {
  appliedMigrations,
  connectStore,
  initializeStore,
  migrateStore,
  migrations,
  newestMigration,
  requireSchema,
  type Migration,
} from '../../src/store/index.ts';
import { emptyStore, postgresMissing, testStore } from '../support/postgres.ts';

const extra = (number: number, sql: string): Migration => ({ number, name: `extra ${number}`, sql });
const next = newestMigration() + 1;

describe.skipIf(postgresMissing())('the schema of the store', () => {
  it('is created once', async () => {
    const { db } = await emptyStore();
    await expect(requireSchema(db)).rejects.toMatchObject({ code: 'store_not_initialized', exit: 12 });
    const { applied } = await initializeStore(db, {});
    expect(applied).toEqual(migrations);
    expect(await requireSchema(db)).toBe(newestMigration());
    await expect(initializeStore(db, {})).rejects.toMatchObject({ code: 'store_exists', exit: 11 });
  });

  it('has the steps that earlier versions created', async () => {
    const { db } = await testStore();
    const found = await appliedMigrations(db);
    // Append the checksum of a new step. Never change one: `store migrate` rejects a store with another.
    expect(found.map(({ checksum }) => checksum)).toEqual([
      '4ee2e2aa5237e561',
      'c1ad624430597d63',
      'ecff41904c6f7a6b',
      '36cce3128fdaf63e',
      'deee4907b4a178a2',
      '7aec172156ba91d8',
      '83eb3e8bd79ed2f7',
      'a2a07eaa7defa642',
      '72b51680225f78ff',
      'bc6cfff27062430e',
      '81294bb040254fae',
      '7f8c2dffe2395599',
      '818ffee5d9ca01a6',
      '69cdbf3d86fa9cd7',
      '352f1d2c80cf29c5',
      'e6a3cd2ab4888520',
      '0334ec82b5ae9bc4',
      '64b3325996347d87',
    ]);
  });

  it('is not created halfway when a step fails', async () => {
    const { db } = await emptyStore();
    const steps = [...migrations, extra(next, 'create table more (n int); select 1/0')];
    await expect(initializeStore(db, {}, steps)).rejects.toMatchObject({ code: 'store_failed' });
    await expect(requireSchema(db)).rejects.toMatchObject({ code: 'store_not_initialized' });
  });

  it('is migrated by several machines at the same time, each step once', async () => {
    const { db } = await testStore();
    const steps = [
      ...migrations,
      extra(next, 'create table one (n int)'),
      extra(next + 1, 'create table two (n int)'),
    ];
    const results = await Promise.all([1, 2, 3].map(() => migrateStore(db, steps)));
    expect(results.map(({ to }) => to)).toEqual([next + 1, next + 1, next + 1]);
    expect(
      results.flatMap(({ applied }) => applied.map(({ number }) => number)).toSorted((a, b) => a - b),
    ).toEqual([next, next + 1]);
    expect((await appliedMigrations(db)).map(({ number }) => number)).toEqual(
      steps.map(({ number }) => number),
    );
  });

  it('is not locked by a migration without new steps, which restores only missing views', async () => {
    const { url, db } = await testStore();
    const impatient = connectStore({ url: `${url}&statement_timeout=500`, source: 'the test', env: {} });
    await db.script('drop view v_thread');
    await db.transaction(async (reader) => {
      await reader.query('select 1 from v_message');
      expect(await migrateStore(impatient)).toMatchObject({ applied: [], restored: ['view v_thread'] });
    });
    expect(await db.query('select 1 from v_thread')).toEqual([]);
    await impatient.close();
  });

  it('has the views of each step as soon as it has the step', async () => {
    const { db } = await testStore();
    const views = (sql: string) => ({ v_one: sql });
    const one = { ...extra(next, 'create table one (a int, b int)'), views: views('select a from one') };
    const two = { ...extra(next + 1, ''), views: views('select a, b from one') };
    await expect(
      migrateStore(db, [...migrations, one, two, extra(next + 2, 'select 1/0')]),
    ).rejects.toMatchObject({ code: 'store_failed' });
    expect(await db.query('select a, b from v_one')).toEqual([]);
    expect(await migrateStore(db, [...migrations, one, two])).toMatchObject({ applied: [], restored: [] });
  });

  it('keeps the steps before one that fails, and continues there', async () => {
    const { db } = await testStore();
    const broken = [
      ...migrations,
      extra(next, 'create table one (n int)'),
      extra(next + 1, 'create table one (n int)'),
    ];
    await expect(migrateStore(db, broken)).rejects.toMatchObject({ code: 'store_failed' });
    expect(await requireSchema(db, broken)).toBe(next);
    const fixed = [...broken.slice(0, -1), extra(next + 1, 'create table two (n int)')];
    expect(await migrateStore(db, fixed)).toMatchObject({ from: next, to: next + 1 });
  });

  it('may be one step older than the program, but not two, and not newer', async () => {
    const { db } = await testStore();
    const one = [...migrations, extra(next, '')];
    const two = [...one, extra(next + 1, '')];
    expect(await requireSchema(db, one)).toBe(newestMigration());
    await expect(requireSchema(db, two)).rejects.toMatchObject({ code: 'store_older', exit: 12 });
    await migrateStore(db, two);
    await expect(requireSchema(db)).rejects.toMatchObject({ code: 'store_newer', exit: 12 });
    await expect(migrateStore(db)).rejects.toMatchObject({ code: 'store_newer' });
  });

  it('is not migrated by a program whose steps differ', async () => {
    const { db } = await testStore([...migrations, extra(next, 'create table one (n int)')]);
    await expect(
      migrateStore(db, [...migrations, extra(next, 'create table other (n int)')]),
    ).rejects.toMatchObject({
      code: 'store_changed',
    });
  });

  it('is opened by its address', async () => {
    const { url } = await testStore();
    const db = connectStore({ url, source: '--store', env: {} });
    expect(await db.query('select store_now() > now() as later')).toEqual([{ later: true }]);
    await db.close();
  });
});

describe.skipIf(postgresMissing())('statements', () => {
  it('end after their time', async () => {
    const { url } = await testStore();
    const db = connectStore({ url: `${url}&statement_timeout=100`, source: 'the test', env: {} });
    await expect(db.query('select pg_sleep(60)')).rejects.toMatchObject({
      code: 'store_timeout',
      retryable: true,
    });
    await db.close();
  });

  it('fail when the connection is cut, and the next one connects again', async () => {
    const { url, db } = await testStore();
    const cut = connectStore({ url, source: 'the test', env: {} });
    const [row] = await cut.query<{ pid: number }>('select pg_backend_pid() as pid');
    const lost = cut.transaction(async (transaction) => {
      const [own] = await transaction.query<{ pid: number }>('select pg_backend_pid() as pid');
      await transaction.run(
        "insert into session (item, generation, encrypted, changed_by) values ('a', 1, 'x', 'test')",
      );
      await db.query('select pg_terminate_backend($1)', [own?.pid ?? row?.pid ?? 0]);
      await transaction.query('select 1');
    });
    await expect(lost).rejects.toMatchObject({ code: 'store_connection_lost' });
    expect(await cut.query('select item from session')).toEqual([]);
    await cut.close();
  });

  it('name no option that the command does not have', async () => {
    const { db, schema, url } = await emptyStore();
    const [user, writer] = [`${schema}_owner`, `${schema}_w`];
    const [database] = await db.query<{ name: string }>('select quote_ident(current_database()) as name');
    await db.script(`create role ${user} login; grant create on database ${database?.name} to ${user}`);
    const address = new URL(url);
    address.username = user;
    const owner = connectStore({ url: address.href, source: 'the test', env: {} });
    const ask = `ask a database administrator to run "create role "${writer}" nologin"`;
    await expect(initializeStore(owner, { writer })).rejects.toMatchObject({
      code: 'store_role_missing',
      hint: `${ask}, or specify another role with --writer`,
    });
    await initializeStore(owner, {});
    await owner.run("insert into store_setting (name, value) values ('writer', $1)", [writer]);
    await expect(migrateStore(owner)).rejects.toMatchObject({ code: 'store_role_missing', hint: ask });
    await owner.close();
    await db.script(`drop owned by ${user} cascade; drop role ${user}`);
  });

  it('name the right that is missing', async () => {
    const { db, schema, url } = await testStore();
    const role = `${schema}_nobody`;
    await db.script(
      `create role ${role} login; grant usage on schema ${schema} to ${role}; grant select on store_migration to ${role}`,
    );
    const other = new URL(url);
    other.username = role;
    const reader = connectStore({ url: other.href, source: 'the test', env: {} });
    await expect(reader.query('select * from session')).rejects.toMatchObject({ code: 'store_permission' });
    await db.script(`revoke usage on schema ${schema} from ${role}`);
    await expect(requireSchema(reader)).rejects.toMatchObject({ code: 'store_permission' });
    await db.script(`revoke select on store_migration from ${role}`);
    await expect(requireSchema(reader)).rejects.toMatchObject({ code: 'store_permission' });
    await reader.close();
    await db.script(`drop schema ${schema} cascade; drop role ${role}`);
  });
});

describe('the address of a store', () => {
  it('must be valid', () => {
    const open = (url: string) => () => connectStore({ url, source: 'UCCTL_STORE', env: {} });
    expect(open('postgres://h/db?sslmod=x')).toThrow(
      'UCCTL_STORE: "sslmod" is not a valid parameter of the store address',
    );
    expect(open('postgres://h:99999/db')).toThrow(
      'UCCTL_STORE: the store address is not a valid PostgreSQL address',
    );
    expect(open('postgres://h/db?schema=A')).toThrow('"A" is not a valid schema');
    expect(open('postgres://h/db?host=a,b')).toThrow('the address names several hosts (a,b)');
    const fromEnvironment = { url: 'postgres:///db', source: 'UCCTL_STORE', env: { PGHOST: 'a,b' } };
    expect(() => connectStore(fromEnvironment)).toThrow('PGHOST names several hosts (a,b)');
  });
});
