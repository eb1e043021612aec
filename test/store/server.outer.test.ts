import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { maskSecrets } from '../../src/platform/mask-secrets.ts';
import { SentSecrets } from '../../src/platform/sent-secrets.ts';
import { connectStore, initializeStore, storeBudget } from '../../src/store/index.ts';
import { openOffice } from '../commands/office.ts';
import { startCutProxy } from '../support/cut-proxy.ts';
import { eventually } from '../support/eventually.ts';
import { postgresMissing } from '../support/postgres.ts';
import { startPostgres, type PostgresCluster } from '../support/postgres-cluster.ts';
import { unlessRequired } from '../support/required.ts';
import { runUcctl } from '../support/run-ucctl.ts';
import { temporaryFolder } from '../support/temporary.ts';

// These tests stop their server, so each has one of its own.

const owned =
  postgresMissing() ??
  (process.env['UCCTL_TEST_POSTGRES'] ? 'the server of UCCTL_TEST_POSTGRES is not stopped' : undefined);

async function ownServer(
  options: Parameters<typeof startPostgres>[0] = {},
): Promise<{ readonly cluster: PostgresCluster; readonly url: string }> {
  const cluster = await startPostgres(options);
  onTestFinished(() => cluster.stop());
  return { cluster, url: `${cluster.url}/postgres` };
}

async function codeOf(words: readonly string[]): Promise<string> {
  const { exit, stderr } = await runUcctl([...words, '-o', 'json']);
  const { error } = JSON.parse(stderr) as {
    readonly error: { readonly code: string; readonly hint?: string };
  };
  expect(error.hint ?? '').not.toBe('');
  return `${exit} ${error.code}`;
}

describe.skipIf(owned)('a server', () => {
  it('may crash and start again: requests wait, and nothing is lost', async () => {
    const { cluster, url } = await ownServer({ settings: { synchronous_commit: 'on', fsync: 'on' } });
    const db = connectStore({ url, source: 'the test', env: {} });
    await initializeStore(db, {});
    const waits: number[] = [];
    const budget = storeBudget(db, 'user', async (milliseconds) => {
      waits.push(milliseconds);
      if (waits.length === 3) await cluster.start();
    });
    await budget.learn(
      'light',
      { limit: 10, remaining: 5, windowMilliseconds: 600_000 },
      { opened: false, counted: true },
    );
    await cluster.kill();
    await expect(db.query('select 1')).rejects.toMatchObject({
      code: expect.stringMatching(/^store_(unreachable|connection_lost)$/) as string,
    });
    expect(await budget.take('light', 0)).toMatchObject({ wait: 0, known: { limit: 10, remaining: 4 } });
    expect(waits.length).toBeGreaterThanOrEqual(3);
    await db.close();
  });

  it('gets the new password from the file after it was changed', async () => {
    const { url } = await ownServer();
    const admin = connectStore({ url, source: 'the test', env: {} });
    onTestFinished(() => admin.close());
    await admin.script("create role ucctl_password login password 'old horse'");
    const folder = temporaryFolder();
    const file = join(folder, 'pgpass');
    const store = (password: string): void =>
      writeFileSync(file, `*:*:*:ucctl_password:${password}\n`, { mode: 0o600 });
    store('old horse');
    const address = new URL(url);
    address.username = 'ucctl_password';
    const sentSecrets = new SentSecrets();
    const db = connectStore({
      url: address.href,
      source: 'the test',
      env: { PGPASSFILE: file },
      sentSecrets,
    });
    onTestFinished(() => db.close());
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
    await admin.script("alter role ucctl_password password 'new horse'");
    await admin.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'ucctl_password'",
    );
    await eventually(() => expect(db.query('select 1')).rejects.toMatchObject({ code: 'store_password' }));
    store('new horse');
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
    expect(maskSecrets('old horse, new horse', sentSecrets)).toBe('***, ***');
  });

  it('that is a replica is read, but not changed', async () => {
    const { cluster, url } = await ownServer({ settings: { synchronous_commit: 'on' } });
    const db = connectStore({ url, source: 'the test', env: {} });
    await initializeStore(db, {});
    await db.close();
    await cluster.kill();
    // A server without a primary in standby mode: the state of a replica.
    writeFileSync(join(cluster.data, 'standby.signal'), '');
    chmodSync(join(cluster.data, 'standby.signal'), 0o644);
    await cluster.start();
    const status = await eventually(async () => {
      const result = await runUcctl(['store', 'status', '--store', url, '-o', 'json']);
      expect(result.exit).toBe(0);
      return JSON.parse(result.stdout) as { readonly readOnly: boolean };
    });
    expect(status.readOnly).toBe(true);
    expect(await codeOf(['store', 'migrate', '--store', url])).toBe('12 store_read_only');
    const reader = connectStore({ url, source: 'the test', env: {} });
    await expect(reader.run('delete from budget')).rejects.toMatchObject({ code: 'store_read_only' });
    await reader.close();
  });

  it('may restart while a sync commits: the next run continues, and nothing is lost or doubled', async () => {
    const { cluster, url } = await ownServer({ settings: { synchronous_commit: 'on', fsync: 'on' } });
    const db = connectStore({ url, source: 'the test', env: {} });
    await initializeStore(db, {});
    const { sandbox, run } = await openOffice();
    for (let count = 0; count < 3; count += 1)
      await sandbox.control('POST', '/triggers/sms', { to: '+16505550110', text: `Text ${count}` });
    let restarted: Promise<void> = Promise.resolve();
    const proxy = await startCutProxy(url, {
      at: /truncate stage_message; commit/,
      when: 'after',
      also: async () => {
        restarted = cluster.kill().then(() => cluster.start());
        await restarted;
      },
    });
    const failed = await run(['sync', '--store', proxy.url, '-o', 'json']);
    expect([failed.exit, JSON.parse(failed.stderr)]).toMatchObject([
      12,
      { error: { code: 'store_connection_lost', retryable: true } },
    ]);
    await restarted;
    for (const words of [['sync'], ['sync', 'verify', '--whole']])
      expect(await run([...words, '--store', url])).toMatchObject({ exit: 0 });
    expect(
      await db.query(
        "select (select count(*)::int from message) as messages, (select count(*)::int from message_change where change = 'added') as added",
      ),
    ).toEqual([{ messages: 3, added: 3 }]);
    await db.close();
  });

  it('with a full disk changes nothing halfway, and works again afterwards', async ({ skip }) => {
    const { cluster, url } = await ownServer();
    const { db, fill, free, missing } = await smallDisk(cluster, url);
    skip(missing !== undefined, missing);
    await fill();
    expect(await codeOf(['store', 'init', '--store', url])).toBe('12 store_full');
    expect(await codeOf(['store', 'status', '--store', url])).toBe('12 store_not_initialized');
    await free();
    expect((await runUcctl(['store', 'init', '--store', url])).exit).toBe(0);
    await db.close();
  });

  it('whose disk fills up during a sync keeps the last complete state', async ({ skip }) => {
    const { cluster, url } = await ownServer();
    const { db, fill, free, missing } = await smallDisk(cluster, url);
    skip(missing !== undefined, missing);
    expect((await runUcctl(['store', 'init', '--store', url])).exit).toBe(0);
    const { sandbox, run } = await openOffice();
    const arrive = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n += 1)
        await sandbox.control('POST', '/triggers/sms', { to: '+16505550110', text: `${n} `.repeat(300) });
    };
    await arrive(2);
    expect((await run(['sync', '--store', url])).exit).toBe(0);
    await arrive(80);
    await fill();
    const { exit, stderr } = await run(['sync', '--store', url, '-o', 'json']);
    expect([exit, stderr]).toEqual([12, expect.stringContaining('store_full') as string]);
    const count = 'select count(*)::int as n from message';
    expect(await db.query(count)).toEqual([{ n: 2 }]);
    await free();
    for (const words of [['sync'], ['sync', 'verify', '--whole']])
      expect(await run([...words, '--store', url])).toMatchObject({ exit: 0 });
    expect(await db.query(count)).toEqual([{ n: 82 }]);
    await db.close();
  });
});

/**
 * A disk of 4 MB for the tables of the database. It is a tablespace of its own, because a server whose journal finds no
 * room stops. `fill` uses it up, and `free` empties it.
 */
async function smallDisk(cluster: PostgresCluster, url: string) {
  const disk = mkdtempSync('/dev/shm/postgres-disk-');
  onTestFinished(() => rmSync(disk, { recursive: true, force: true }));
  const { uid } = statSync(cluster.data);
  const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=4m,uid=${uid},mode=700`, 'tmpfs', disk]);
  const missing = unlessRequired(
    'mount',
    mount.status === 0 ? undefined : 'a small disk cannot be mounted here',
  );
  const db = connectStore({ url, source: 'the test', env: {} });
  if (missing !== undefined) return { db, missing, fill: async () => undefined, free: async () => undefined };
  onTestFinished(async () => {
    await cluster.kill();
    spawnSync('umount', [disk]);
  });
  await db.run(`create tablespace small location '${disk}'`);
  await db.run('alter database postgres set default_tablespace = small');
  await db.run('create table public.fill (t text) tablespace small');
  const insert = async (): Promise<never> => {
    for (;;)
      await db.run('insert into public.fill select repeat(md5(n::text), 60) from generate_series(1, 50) n');
  };
  return {
    db,
    missing,
    fill: () => expect(insert()).rejects.toMatchObject({ code: 'store_full', retryable: true }),
    free: () => db.script('drop table public.fill'),
  };
}
