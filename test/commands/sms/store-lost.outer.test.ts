import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HttpSend } from '../../../src/client/index.ts';
import { connectStore, initializeStore } from '../../../src/store/index.ts';
import { startCutProxy } from '../../support/cut-proxy.ts';
import { postgresMissing, testStore } from '../../support/postgres.ts';
import { startPostgres } from '../../support/postgres-cluster.ts';
import { postgresPrograms } from '../../support/postgres-programs.ts';
import { roleWith } from '../../support/postgres-role.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

const from = '+16505550110';
const missing =
  postgresMissing() ?? (postgresPrograms() === undefined ? 'PostgreSQL is not installed' : undefined);

const sendList = [...'sms send -f list.csv --template'.split(' '), 'Hello {{name}}', '--from', from, '--yes'];

/**
 * An office that sends a list of three texts with a store. `onText` runs before the service gets a text. `sleep` replaces
 * the waits of the send.
 */
async function sendingOffice(
  onText: () => Promise<void> = () => Promise.resolve(),
  sleep?: () => Promise<void>,
) {
  const around =
    (send: HttpSend): HttpSend =>
    async (request) => {
      if (request.method === 'POST' && request.url.pathname.endsWith('/sms')) await onText();
      return send(request);
    };
  const office = await openOffice('administrator', around);
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'list.csv'), 'to,name\n+16505550112,Ann\n+16505550112,Bob\n+16505550112,Eve\n');
  const options = { cwd: folder, paths: temporaryPaths(), now: () => office.sandbox.clock.now() };
  return {
    send: (url: string, ...more: readonly string[]) =>
      office.run([...sendList, '--store', url, ...more], { ...options, sleep }),
    run: (words: string) => office.run(words, options),
    texts: () => office.sandbox.messages(171_857_102).map(({ subject }) => subject),
  };
}

const all = ['Hello Ann', 'Hello Bob', 'Hello Eve'];

/** A server of this test, because the test stops it. */
async function ownServer() {
  const cluster = await startPostgres({ settings: { synchronous_commit: 'on', fsync: 'on' } });
  onTestFinished(() => cluster.stop());
  const url = `${cluster.url}/postgres`;
  const db = connectStore({ url, source: 'the test', env: {} });
  await initializeStore(db, {});
  await db.close();
  return { cluster, url };
}

describe.skipIf(missing)('sms send with a list, if the connection to the store is lost', () => {
  it.each([
    ['before the record of a text', /insert into outcome/, 'before'],
    ['after the record of a text', /insert into outcome/, 'after'],
    ['before the commit of the record', /Q[\s\S]{4}commit\0/, 'before'],
    ['after the commit of the record', /Q[\s\S]{4}commit\0/, 'after'],
    ['before the result of a text', /update outcome set state/, 'before'],
    ['after the result of a text', /update outcome set state/, 'after'],
  ] as const)('%s, sends and records each text once', async (_, at, when) => {
    const { url, db } = await testStore();
    const proxy = await startCutProxy(url, { at, when });
    const { send, texts } = await sendingOffice();
    const { exit, stderr } = await send(proxy.url, '--dedupe-key', 'hello');
    expect([exit, stderr, proxy.cuts()]).toEqual([0, expect.not.stringContaining('warning'), 1]);
    expect(texts()).toEqual(all);
    expect(await db.query('select state from outcome')).toEqual(all.map(() => ({ state: 'sent' })));
  });

  it('by pg_terminate_backend during each text, sends and records each text once', async () => {
    const { url, db } = await testStore();
    const role = await roleWith(url, {});
    const address = new URL(url);
    address.username = role;
    const { send, texts } = await sendingOffice(async () => {
      await db.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [role]);
    });
    const { exit, stderr } = await send(address.href);
    expect([exit, stderr]).toEqual([0, expect.not.stringContaining('warning')]);
    expect(texts()).toEqual(all);
    expect(await db.query('select state from outcome')).toEqual(all.map(() => ({ state: 'sent' })));
  });

  it('by a restart of the server, waits and sends each text once', async () => {
    const { cluster, url } = await ownServer();
    let restarted: Promise<void> | undefined;
    const { send, texts } = await sendingOffice(async () => {
      await (restarted ??= cluster.kill().then(() => void cluster.start()));
    });
    const { exit, stderr } = await send(url);
    expect([exit, stderr]).toEqual([0, expect.not.stringContaining('warning')]);
    expect(texts()).toEqual(all);
  });

  it('for a long time, ends with the number of sent texts, and --resume sends the rest', async () => {
    const { cluster, url } = await ownServer();
    let stopped: Promise<void> | undefined;
    let pauses = 0;
    const { send, run, texts } = await sendingOffice(
      () => (stopped ??= cluster.kill()),
      () => Promise.resolve(void (pauses += 1)),
    );
    const { exit, stderr } = await send(url, '--dedupe-key', 'hello');
    expect([exit, stderr]).toEqual([
      8,
      expect.stringContaining('1 of 3 texts was sent, 0 failed, 2 are left'),
    ]);
    expect(stderr).toContain('the store');
    expect(stderr.split('waiting up to 15 s for a restart of the store')).toHaveLength(2);
    // The limit, the outcome and the next text share the wait.
    expect(pauses).toBeLessThanOrEqual(30);
    const resume = /sms send --resume \S+/.exec(stderr)?.[0] ?? '';
    expect(texts()).toEqual(all.slice(0, 1));
    await cluster.start();
    const resumed = await run(`${resume} --yes --store ${url}`);
    expect([resumed.exit, texts()]).toEqual([0, all]);
  });
});
