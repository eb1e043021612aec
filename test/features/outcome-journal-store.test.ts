import { describe, expect, it, onTestFinished } from 'vitest';
import type { HttpSend } from '../../src/client/index.ts';
import { StoreSendJournal } from '../../src/features/outcome-journal/store-journal.ts';
import type { Claim } from '../../src/features/outcome-journal/send-journal.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { connectStore } from '../../src/store/index.ts';
import { clockStore, postgresMissing, testStore } from '../support/postgres.ts';
import { roleWith } from '../support/postgres-role.ts';
import { runUcctl, type RunResult } from '../support/run-ucctl.ts';
import { sandboxHttp, signInAs } from '../support/sandbox.ts';
import { temporaryPaths } from '../support/temporary.ts';

const claim = (dedupeKey?: string, admit?: Claim['admit']): Claim => ({
  sender: { profile: 'default', origin: 'https://service.example', who: 'extension 1' },
  call: { kind: 'sms', extension: '~', digest: 'digest', to: '+1********42' },
  dedupeKey,
  admit,
});

/** Machines that share a store and a service. `fail` makes the next send end without a reply. */
async function fleet() {
  const sandbox = await startSandbox({ listen: false });
  onTestFinished(() => sandbox.close());
  const { db, url, setClock: set } = await clockStore(sandbox.clock.now());
  const token = await signInAs(sandbox, '101');
  let isLost = false;
  const http: HttpSend = async (request) => {
    const reply = await sandboxHttp(sandbox)(request);
    if (!isLost || request.method !== 'POST') return reply;
    isLost = false;
    throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
  };
  const machine = (): ((argv: string, stdin?: string) => Promise<RunResult>) => {
    const paths = temporaryPaths();
    return (argv, stdin) =>
      runUcctl(argv, {
        paths,
        ...(stdin !== undefined && { stdin }),
        now: () => sandbox.clock.now(),
        sleep: async (milliseconds) => {
          await sandbox.clock.advance(milliseconds);
          await set(sandbox.clock.now());
        },
        sandbox: { http, env: { UCCTL_BASE_URL: sandbox.url, UCCTL_TOKEN: token, UCCTL_STORE: url } },
      });
  };
  const sent = (): number => sandbox.messages().filter(({ direction }) => direction === 'Outbound').length;
  return { machine, sent, db, loseReply: () => (isLost = true), sandbox, set };
}

describe.skipIf(postgresMissing())('sends recorded in the store', () => {
  it('are not repeated by another machine with the same key', async () => {
    const { machine, sent } = await fleet();
    const before = sent();
    const line = 'sms send --to +14155550123 --yes --dedupe-key order-1 hello';
    const [one, other] = [machine(), machine()];
    expect(await one(line)).toMatchObject({ exit: 0 });
    const second = await other(`${line} -o json`);
    expect(second.exit).toBe(11);
    expect(second.stderr).toContain('an earlier request used the key \\"order-1\\"');
    expect(sent() - before).toBe(1);
  });

  it('are not repeated by a list of another machine, or after such a list, with the same key and text', async () => {
    const { machine, sent } = await fleet();
    const before = sent();
    const [one, other] = [machine(), machine()];
    const single = 'sms send --to +14155550123 --yes hello --dedupe-key';
    const list = 'sms send -f - --template hello --yes --dedupe-key';
    const stdin = 'to\n+14155550123\n';
    expect((await one(`${single} a`)).exit).toBe(0);
    expect((await other(`${list} a`, stdin)).stdout).toContain('duplicate');
    expect((await other(`${list} b`, stdin)).exit).toBe(0);
    expect((await one(`${single} b`)).exit).toBe(11);
    expect((await one(`${single} B`)).exit).toBe(0);
    expect(sent() - before).toBe(3);
  });

  it('keep their dedupe key for a day, also if the clock of the store is ahead by months for a while', async () => {
    const { machine, sandbox, set } = await fleet();
    const send = machine();
    const line = 'sms send --to +14155550123 --yes';
    const start = sandbox.clock.now();
    expect((await send(`${line} --dedupe-key order-1 hello`)).exit).toBe(0);
    await set(start + 60 * 86_400_000);
    for (const text of ['one', 'two']) expect((await send(`${line} ${text}`)).exit).toBe(0);
    await set(start + 3_600_000);
    expect((await send(`${line} --dedupe-key order-1 hello`)).exit).toBe(11);
  });

  it('are deleted after 30 days', async () => {
    const { machine, sandbox, set, db } = await fleet();
    const send = machine();
    const start = sandbox.clock.now();
    for (const day of [0, 40, 41]) {
      await set(start + day * 86_400_000);
      expect((await send('sms send --to +14155550123 --yes hello')).exit).toBe(0);
    }
    expect(await db.query('select id from outcome')).toHaveLength(2);
  });

  it('are seen by every machine, also if the outcome is unknown', async () => {
    const { machine, sent, loseReply } = await fleet();
    const before = sent();
    const [one, other] = [machine(), machine()];
    loseReply();
    expect((await one('sms send --to +14155550123 --yes --dedupe-key order-2 hello')).exit).toBe(14);
    expect((await other('sms send --to +14155550123 --yes --dedupe-key order-2 hello')).exit).toBe(11);
    const listed = JSON.parse((await other('outcome list -o json')).stdout) as {
      state: string;
      dedupeKey: string;
    }[];
    expect(listed).toMatchObject([{ state: 'unknown', dedupeKey: 'order-2' }]);
    expect(sent() - before).toBe(1);
  });

  it('are claimed by one of many machines that start at the same time', async () => {
    const { url } = await testStore();
    const pools = Array.from({ length: 6 }, () => connectStore({ url, source: 'the test', env: {} }));
    const journals = pools.map(
      (pool) =>
        new StoreSendJournal(
          pool,
          () => Date.now(),
          () => Promise.resolve(),
        ),
    );
    const claims = await Promise.all(journals.map((journal) => journal.claim(claim('same'))));
    expect(claims.filter((one) => 'id' in one)).toHaveLength(1);
    const limited = await Promise.allSettled(
      journals.map((journal) =>
        journal.claim(
          claim(undefined, (sent, more) => {
            if (sent + more > 3) throw new Error('too many');
          }),
        ),
      ),
    );
    // One was sent above, and two more are allowed.
    expect(limited.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    journals.forEach((journal) => journal.close());
    await Promise.all(pools.map((pool) => pool.close()));
  });

  it('are claimed by one of many machines, and durably, whatever the defaults of the database are', async () => {
    const { db, url } = await testStore();
    const role = await roleWith(url, {
      default_transaction_isolation: 'repeatable read',
      synchronous_commit: 'off',
    });
    const own = new URL(url);
    own.username = role;
    const pools = Array.from({ length: 6 }, () =>
      connectStore({ url: own.href, source: 'the test', env: {} }),
    );
    await db.script(`create table seen (commit text);
      create function note() returns trigger language plpgsql as
        'begin insert into seen values (current_setting(''synchronous_commit'')); return null; end';
      create trigger note after insert on outcome execute function note()`);
    const journals = pools.map(
      (pool) =>
        new StoreSendJournal(
          pool,
          () => Date.now(),
          () => Promise.resolve(),
        ),
    );
    for (const key of ['one', 'two', 'three', 'four', 'five']) {
      const claims = await Promise.allSettled(journals.map((journal) => journal.claim(claim(key))));
      expect(claims.filter((one) => one.status === 'fulfilled' && 'id' in one.value)).toHaveLength(1);
      expect(claims.filter(({ status }) => status === 'rejected')).toEqual([]);
    }
    expect(await db.query('select distinct commit from seen')).toEqual([{ commit: 'on' }]);
    journals.forEach((journal) => journal.close());
    await Promise.all(pools.map((pool) => pool.close()));
  });

  it('become unknown when the lease of another machine ends, and the key stays used', async () => {
    const { db, setClock: set } = await clockStore(1_800_000_000_000);
    const journal = new StoreSendJournal(
      db,
      () => 1_800_000_000_000,
      () => Promise.resolve(),
    );
    await journal.claim(claim('key'));
    journal.close();
    await db.run("update outcome set machine = 'another'");
    const owner = { profile: 'default', origin: 'https://service.example' };
    expect(await journal.list(owner)).toMatchObject([{ state: 'sending' }]);
    await set(1_800_000_000_000 + 601_000);
    expect(await journal.list(owner)).toMatchObject([{ state: 'unknown' }]);
    expect(await journal.claim(claim('key'))).toMatchObject({ earlier: { state: 'unknown' } });
  });

  it('become unknown when the clock of the store is set back by hours', async () => {
    const start = 1_800_000_000_000;
    const { db, setClock: set } = await clockStore(start);
    const journal = new StoreSendJournal(
      db,
      () => start,
      () => Promise.resolve(),
    );
    await journal.claim(claim('key'));
    journal.close();
    await db.run("update outcome set machine = 'another'");
    const owner = { profile: 'default', origin: 'https://service.example' };
    await set(start - 60_000);
    expect(await journal.list(owner)).toMatchObject([{ state: 'sending' }]);
    await set(start - 3 * 3_600_000);
    expect(await journal.list(owner)).toMatchObject([{ state: 'unknown' }]);
  });

  it('are not called late when the clock of the store was set back since their start', async () => {
    const { machine, loseReply, sandbox, set } = await fleet();
    const run = machine();
    loseReply();
    expect((await run('sms send --to +14155550123 --yes hello')).exit).toBe(14);
    await set(sandbox.clock.now() - 3 * 3_600_000);
    const { stdout } = await run('outcome resolve --all --sole-sender -o json');
    expect(JSON.parse(stdout)).toMatchObject([
      { state: 'unknown', reason: expect.stringContaining('start time in the future') as string },
    ]);
  });

  it('have times by the clock of this machine', async () => {
    const { db } = await clockStore(1_800_000_000_000);
    const journal = new StoreSendJournal(
      db,
      () => 1_800_003_600_000,
      () => Promise.resolve(),
    );
    const claimed = await journal.claim(claim());
    if ('id' in claimed) await journal.end(claimed.id, { state: 'sent' });
    journal.close();
    const owner = { profile: 'default', origin: 'https://service.example' };
    expect(await journal.list(owner)).toMatchObject([
      { startedAt: 1_800_003_600_000, endedAt: 1_800_003_600_000 },
    ]);
    expect(await journal.countSince(owner, 1_800_003_600_000 - 3_600_000)).toBe(1);
  });
});
