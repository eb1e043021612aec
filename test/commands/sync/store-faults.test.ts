import { describe, expect, it } from 'vitest';
import type { HttpSend } from '../../../src/client/index.ts';
import {
  connectStore,
  migrateStore,
  migrations,
  newestMigration,
  type Migration,
} from '../../../src/store/index.ts';
import { startCutProxy, type Cut } from '../../support/cut-proxy.ts';
import { freePort } from '../../support/free-port.ts';
import { conditionLimit } from '../../support/limits.ts';
import { otherAccount } from '../../support/other-account.ts';
import { emptyStore, postgresMissing, postgresServer, testStore } from '../../support/postgres.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

const own = '+16505550110';

/** An office with messages, and an initialized store. */
async function openCompany(around?: (send: HttpSend) => HttpSend, steps?: readonly Migration[]) {
  const office = await openOffice('administrator', around);
  const { sandbox } = office;
  for (let count = 0; count < 5; count += 1) {
    const from = `+1555555${String(1000 + count)}`;
    await sandbox.control('POST', '/triggers/sms', { to: own, from, text: `Text ${count}` });
    await sandbox.clock.advance(1000);
  }
  await sandbox.control('POST', '/triggers/call', { to: own, from: '+15555550177' });
  await sandbox.clock.advance(600_000);
  const store = await testStore(steps);
  const paths = temporaryPaths();
  const run = (argv: readonly string[], now?: () => number) =>
    office.run(argv, { paths, now: now ?? (() => sandbox.clock.now()) });
  return {
    ...office,
    ...store,
    run,
    /** The error of a run that must fail. */
    failure: async (argv: readonly string[], now?: () => number) => {
      const { exit, stderr } = await run([...argv, '-o', 'json'], now);
      const { error } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as {
        readonly error: { readonly code: string; readonly message: string; readonly hint?: string };
      };
      expect(error.hint ?? '').not.toBe('');
      return { exit, code: error.code, message: error.message, hint: error.hint ?? '' };
    },
    /** Syncs everything; the archive must then equal the service, each message once. */
    requireEqual: async () => {
      for (const words of [
        ['sync', '--extension', 'all'],
        ['calllog', 'sync'],
        ['sync', 'verify', '--whole'],
      ]) {
        const { exit, stderr } = await run([...words, '--store', store.url]);
        expect([words, exit, stderr]).toEqual([words, 0, expect.anything()]);
      }
      const [row] = await store.db.query<{ messages: number; changes: number; calls: number; ids: number }>(
        `select (select count(*)::int from message) as messages, (select count(*)::int from message_change) as changes,
          (select count(*)::int from call_record) as calls, (select count(distinct record_id)::int from call_record) as ids`,
      );
      expect(row?.messages).toBeGreaterThanOrEqual(5);
      expect(row?.calls).toBeGreaterThan(0);
      // Each message was added once, so a repeated or a lost addition would differ.
      expect(row?.changes).toBe(row?.messages);
      expect(row?.calls).toBe(row?.ids);
      return row?.messages ?? 0;
    },
  };
}

describe.skipIf(postgresMissing())('a connection that is cut', () => {
  const cuts: readonly (readonly [string, Cut, readonly string[]])[] = [
    ['in a COPY of messages', { at: /copy stage_message/, when: 'data' }, ['sync', '--extension', 'all']],
    ['in a COPY of calls', { at: /copy call_record/, when: 'data' }, ['calllog', 'sync']],
    ['before a commit', { at: /truncate stage_message; commit/, when: 'before' }, ['sync']],
    ['after a commit', { at: /truncate stage_message; commit/, when: 'after' }, ['sync']],
    ['in the merge', { at: /with record as/, when: 'before' }, ['sync']],
  ];
  it.each(cuts)('%s loses and doubles nothing', async (_name, cut, words) => {
    const { url, failure, requireEqual } = await openCompany();
    const proxy = await startCutProxy(url, cut);
    const error = await failure([...words, '--store', proxy.url]);
    expect(error).toMatchObject({ exit: 12, code: 'store_connection_lost' });
    expect(error.hint).toContain('run the command again');
    expect(proxy.cuts()).toBe(1);
    await requireEqual();
  });
});

describe.skipIf(postgresMissing())('a sync into a store that cannot be used', () => {
  it('names what is wrong with the server, and the next step', async () => {
    const { failure, db } = await openCompany();
    const server = new URL(await postgresServer());
    const at = (change: (url: URL) => void): readonly string[] => {
      const url = new URL(server);
      change(url);
      return ['sync', '--store', url.href];
    };
    const port = await freePort();
    expect(await failure(at((url) => (url.port = String(port))))).toMatchObject({
      exit: 12,
      code: 'store_unreachable',
      hint: expect.stringContaining('pg_isready') as string,
    });
    expect(await failure(at((url) => (url.pathname = '/missing')))).toMatchObject({
      exit: 12,
      code: 'store_database_missing',
      hint: expect.stringContaining('createdb') as string,
    });
    await db.script(
      "do $$ begin create role ucctl_password login superuser password 'right-horse'; exception when duplicate_object then null; end $$",
    );
    expect(await failure(at((url) => (url.username = 'ucctl_password')))).toMatchObject({
      exit: 12,
      code: 'store_password',
      hint: expect.stringContaining('PGPASSFILE') as string,
    });
    const { url } = await emptyStore();
    expect(await failure(['sync', '--store', url])).toMatchObject({
      exit: 12,
      code: 'store_not_initialized',
    });
  });

  it('is read when the server accepts no changes, and not changed', async () => {
    const { url, db, schema, run, failure, requireEqual } = await openCompany();
    const messages = await requireEqual();
    const role = `${schema}_ro`;
    await db.script(
      `create role ${role} login superuser; alter role ${role} set default_transaction_read_only = on`,
    );
    const replica = new URL(url);
    replica.username = role;
    expect(await failure(['sync', '--full', '--store', replica.href])).toMatchObject({
      exit: 12,
      code: 'store_read_only',
      hint: 'use the address of the primary server, where default_transaction_read_only must be off',
    });
    const count = await run([
      'sync',
      'sql',
      'select count(*) as n from v_message',
      '--store',
      replica.href,
      '-o',
      'json',
    ]);
    expect(JSON.parse(count.stdout)).toEqual([{ n: messages }]);
    await db.script(`drop role ${role}`);
  });

  it('ends after the time of a statement while another program holds a table, and continues later', async () => {
    const { url, db, failure, requireEqual } = await openCompany();
    const impatient = `${url}&statement_timeout=200`;
    for (const table of ['stream', 'message']) {
      await db.transaction(async (transaction) => {
        await transaction.script(`lock table ${table} in access exclusive mode`);
        const error = await failure(['sync', '--store', impatient]);
        expect([table, error.exit]).toEqual([table, 12]);
        expect(error.code).toMatch(/^store_(timeout|busy)$/);
        expect(error.hint).toContain('run the command again');
      });
    }
    await requireEqual();
  });

  it('gives a merge more time than other statements', async () => {
    const { url, db, run, requireEqual } = await openCompany();
    await db.script(
      `create table seen (milliseconds int);
       create function note() returns trigger language plpgsql as
         'begin insert into seen select setting::int from pg_settings where name = ''statement_timeout''; return null; end';
       create trigger note after insert on message for each statement execute function note()`,
    );
    const { exit, stderr } = await run(['sync', '--store', `${url}&statement_timeout=${conditionLimit}`]);
    expect([exit, stderr]).toEqual([0, expect.anything()]);
    const [least] = await db.query<{ milliseconds: number }>(
      'select min(milliseconds) as milliseconds from seen',
    );
    expect(least?.milliseconds).toBeGreaterThan(conditionLimit);
    await db.script('drop trigger note on message; drop function note; drop table seen');
    await requireEqual();
  });

  it('says that a view or table was dropped, and store migrate restores views', async () => {
    const { url, db, run, failure, requireEqual } = await openCompany();
    await requireEqual();
    await db.script('drop view v_message');
    const select = ['sync', 'sql', 'select count(*) from v_message', '--store', url];
    expect(await failure(select)).toMatchObject({
      exit: 12,
      code: 'store_incomplete',
      hint: expect.stringContaining('ucctl store check') as string,
    });
    const checked = await run(['store', 'check', '--store', url, '-o', 'json']);
    expect(checked.exit).toBe(12);
    const findings = JSON.parse(checked.stdout) as readonly { readonly check: string }[];
    expect(findings.find(({ check }) => check === 'tables')).toMatchObject({
      result: 'fail',
      found: 'missing: view v_message',
      todo: 'ucctl store migrate',
    });
    const migrate = ['store', 'migrate', '--store', url];
    expect(await run(migrate)).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining('Restored: view v_message.') as string,
    });
    expect((await run(migrate)).stderr).toContain('No changes');
    expect((await run(select)).exit).toBe(0);
    await requireEqual();
    await db.script('drop table message_change cascade');
    expect(await failure(['sync', '--full', '--store', url])).toMatchObject({
      exit: 12,
      code: 'store_incomplete',
    });
  });
});

describe.skipIf(postgresMissing())('an archive of one account', () => {
  it('does not accept messages or calls of a second one', async () => {
    const first = await openCompany();
    const second = await openCompany(otherAccount);
    const messages = await first.requireEqual();
    for (const words of [
      ['sync', '--full'],
      ['calllog', 'sync', '--extension', '~'],
    ]) {
      const error = await second.failure([...words, '--store', first.url]);
      expect([words, error]).toMatchObject([words, { exit: 11, code: 'other_account' }]);
      expect(error.message).toContain('account 400131426');
      expect(error.hint).toContain('?schema=NAME');
    }
    expect(await first.requireEqual()).toBe(messages);
    // An archive of its own in the same database works.
    await second.requireEqual();
  });
});

describe.skipIf(postgresMissing())('machines whose clocks are an hour off', () => {
  it('archive everything, and store check says it', async () => {
    const { sandbox, url, run, db, requireEqual } = await openCompany();
    const hour = 3_600_000;
    const ahead = (): number => sandbox.clock.now() + hour;
    const behind = (): number => sandbox.clock.now() - hour;
    const more = async (text: string): Promise<void> => {
      await sandbox.control('POST', '/triggers/sms', { to: own, from: '+15555550177', text });
      await sandbox.clock.advance(60_000);
    };
    for (const [index, clock] of [ahead, behind, ahead, behind].entries()) {
      await more(`Later ${index}`);
      for (const words of [
        ['sync', '--extension', 'all'],
        ['calllog', 'sync'],
      ]) {
        const { exit, stderr } = await run([...words, '--store', url], clock);
        expect([words, exit, stderr]).toEqual([words, 0, expect.anything()]);
      }
    }
    await more('Last');
    await requireEqual();
    const [server] = await db.query<{ at: number }>(
      'select (extract(epoch from store_now()) * 1000)::bigint as at',
    );
    const checked = await run(
      ['store', 'check', '--store', url, '-o', 'json'],
      () => (server?.at ?? 0) + hour,
    );
    expect(checked.exit).toBe(0);
    const clock = (JSON.parse(checked.stdout) as readonly { readonly check: string }[]).find(
      ({ check }) => check === 'clock',
    );
    expect(clock).toMatchObject({
      result: 'warn',
      found: expect.stringMatching(
        /the clock of this machine is 3[56]\d\d s ahead of the clock of the server/,
      ) as string,
    });
  });
});

describe.skipIf(postgresMissing())('during an upgrade', () => {
  it('this version works with the tables of the previous one, and not with newer ones', async () => {
    const { url, db, run, failure, requireEqual } = await openCompany(undefined, migrations.slice(0, -1));
    await requireEqual();
    const status = await run(['store', 'check', '--store', url, '-o', 'json']);
    const findings = JSON.parse(status.stdout) as readonly { readonly check: string }[];
    expect(findings.find(({ check }) => check === 'schema')).toMatchObject({
      result: 'warn',
      todo: 'ucctl store migrate',
    });
    expect((await run(['store', 'migrate', '--store', url])).exit).toBe(0);
    await requireEqual();
    const next = { number: newestMigration() + 1, name: 'next', sql: 'create table next (n int)' };
    await migrateStore(db, [...migrations, next]);
    for (const words of [['sync'], ['calllog', 'sync'], ['sync', 'search', 'text'], ['store', 'migrate']]) {
      const error = await failure([...words, '--store', url]);
      expect([words, error]).toMatchObject([words, { exit: 12, code: 'store_newer' }]);
      expect(error.hint).toContain('install the newer version');
    }
  });
});

describe.skipIf(postgresMissing())('a pool', () => {
  it('connects again after the link was cut', async () => {
    const { url } = await testStore();
    const proxy = await startCutProxy(url, { at: /select 'cut'/, when: 'after' });
    const db = connectStore({ url: proxy.url, source: 'the test', env: {} });
    await expect(db.query("select 'cut'")).rejects.toMatchObject({ code: 'store_connection_lost' });
    expect(await db.query('select 1 as n')).toEqual([{ n: 1 }]);
    await db.close();
  });
});
