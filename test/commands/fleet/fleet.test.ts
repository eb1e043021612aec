import { describe, expect, it } from 'vitest';
import { operations } from '../../../src/contract/operations.ts';
import { fleetMigration } from '../../../src/store/fleet-schema.ts';
import { migrations } from '../../../src/store/index.ts';
import { postgresMissing, storeClock, testStore } from '../../support/postgres.ts';
import { fleetOffice, type FleetOffice, takeOverFirst } from './fleet-office.ts';

interface StatusLine {
  readonly state: string;
  readonly count: number;
  readonly detail: string;
  readonly advice?: string;
}

/** The lines of `fleet status` by state. */
async function statusOf(office: FleetOffice): Promise<Readonly<Record<string, StatusLine>>> {
  const lines = await office.rows<StatusLine>('fleet status');
  return Object.fromEntries(lines.map((line) => [line.state, line]));
}

describe.skipIf(postgresMissing())('the fleet', () => {
  it('copies all mailboxes and the call log with several workers, each task once', async () => {
    const office = await fleetOffice();
    const { db, sandbox } = office;
    for (const to of ['101', '102', '103', '104', '102'])
      await sandbox.control('POST', '/triggers/sms', { to, from: '+15555550100', text: `to ${to}` });
    await sandbox.control('POST', '/triggers/call', { to: '102' });
    await sandbox.clock.advance(60_000);
    const enrolled = await office.rows('fleet enroll --extension all --tasks messages,calls');
    expect(enrolled).toMatchObject([
      { task: 'messages', updated: 0 },
      { task: 'calls', added: 1 },
    ]);
    const again = await office.rows<{ added: number; updated: number }>('fleet enroll --extension all');
    expect(again).toMatchObject([{ added: 0, updated: (enrolled[0] as { added: number }).added }]);
    const workers = await Promise.all([1, 2, 3].map(() => office.run('fleet worker --once --all -o ndjson')));
    expect(workers.map(({ exit }) => exit)).toEqual([0, 0, 0]);
    const runs = workers.flatMap(({ stdout }) => stdout.trim().split('\n').filter(Boolean));
    const tasks = await db.query('select runs, fenced, attempts, worker from fleet_task');
    expect(runs).toHaveLength(tasks.length);
    expect(new Set(tasks.map((task) => JSON.stringify(task)))).toEqual(
      new Set([JSON.stringify({ runs: 1, fenced: 0, attempts: 0, worker: null })]),
    );
    const mailboxes = await db.query<{ id: string; count: number }>(
      'select extension_id as id, count(*) as count from message group by 1',
    );
    expect(mailboxes.length).toBeGreaterThan(2);
    for (const { id, count } of mailboxes)
      expect(sandbox.messages(Number(id)).filter(({ availability }) => availability === 'Alive').length).toBe(
        count,
      );
    const [calls] = await db.query<{ count: number }>('select count(*) as count from call_record');
    expect(calls?.count).toBeGreaterThan(0);
    expect(await db.query('select * from fleet_worker')).toEqual([]);
  });

  it('is enrolled and changed by an app with the permissions of the help', async () => {
    const office = await fleetOffice({}, 'sandbox-reader');
    for (const command of ['enroll', 'pause', 'resume', 'retry', 'enroll --remove']) {
      expect(await office.run(`fleet ${command} --extension 101`)).toMatchObject({ exit: 0 });
      const { stdout } = await office.run(`fleet ${command} --help --all`);
      expect(stdout).toMatch(
        new RegExp(`^Permissions:?\\n +${operations.listExtensions.permission}\\n`, 'm'),
      );
    }
  });

  it('is due, late and advised by the clock of the store', async () => {
    const office = await fleetOffice();
    const start = Date.now();
    const setClock = await storeClock(office.db, start);
    expect((await office.run('fleet status')).stdout).not.toContain('due');
    await office.run('fleet enroll --extension 101,102 --every 1m');
    expect((await statusOf(office))['due']).toMatchObject({
      count: 2,
      advice: 'start a worker: ucctl fleet worker',
    });
    await office.run('fleet worker --once');
    expect(await statusOf(office)).toMatchObject({
      enrolled: { count: 2, detail: 'messages: 2' },
      due: { count: 0 },
      late: { count: 0 },
    });
    await setClock(start + 90_000);
    expect(await statusOf(office)).toMatchObject({
      due: { count: 2, detail: 'messages: 2; the oldest has been due for 30 s' },
      late: { count: 0 },
    });
    await setClock(start + 121_000);
    expect((await statusOf(office))['late']).toMatchObject({
      count: 2,
      advice: 'start a worker: ucctl fleet worker',
    });
  });

  it('runs its tasks after the clock of the store was set back', async () => {
    const office = await fleetOffice();
    const start = office.sandbox.clock.now();
    const setClock = await storeClock(office.db, start + 86_400_000);
    await office.run('fleet enroll --extension 101,102 --every 1h');
    const runs = async () => {
      expect((await office.run('fleet worker --once')).exit).toBe(0);
      return office.db.query('select subject, runs from fleet_task order by label');
    };
    expect(await runs()).toMatchObject([{ runs: 1 }, { runs: 1 }]);
    await setClock(start);
    expect(await runs()).toMatchObject([{ runs: 2 }, { runs: 2 }]);
    await setClock(start + 3_599_000);
    expect(await runs()).toMatchObject([{ runs: 2 }, { runs: 2 }]);
    await setClock(start + 3_600_000);
    expect(await runs()).toMatchObject([{ runs: 3 }, { runs: 3 }]);
  });

  it('keeps a task due whose mailbox changed during its sync', async () => {
    const office = await fleetOffice();
    await office.run('fleet enroll --extension 101 --every 1h');
    let reported = false;
    office.onRequest = async (path) => {
      if (!path.endsWith('/message-sync') || reported) return;
      reported = true;
      const { stdout } = await office.run('fleet retry --extension 101 --tasks messages -o json');
      expect(JSON.parse(stdout)).toEqual([{ task: 'messages', changed: 1 }]);
    };
    const { exit } = await office.run('fleet worker --once --concurrency 1');
    expect(exit).toBe(0);
    expect(await office.db.query('select runs, change_seq from fleet_task')).toEqual([
      { runs: 2, change_seq: 1 },
    ]);
  });

  it('rejects the late reply of a worker whose task was taken over, and says so', async () => {
    const office = await fleetOffice();
    const { db } = office;
    await office.sandbox.control('POST', '/triggers/sms', { to: '101', from: '+15555550100', text: 'once' });
    await office.run('fleet enroll --extension 101 --every 1h');
    takeOverFirst(office);
    const before = await office.run('fleet worker --once --concurrency 1 --lease 10m --all -o ndjson');
    expect(before.exit).toBe(0);
    expect(JSON.parse(before.stdout.trim().split('\n')[0] ?? '')).toMatchObject({
      result: 'fenced',
      problem: 'another worker has taken over 101',
    });
    expect(await db.query('select runs, fenced, fence from fleet_task')).toEqual([
      { runs: 1, fenced: 1, fence: 2 },
    ]);
    expect((await statusOf(office))['fenced']).toMatchObject({
      count: 1,
      detail: '1 reply discarded; no data was lost',
    });
    expect(await db.query('select change from message_change')).toEqual([{ change: 'added' }]);
  });

  it('waits for the shared budget before it claims, and advises another sign-in', async () => {
    const office = await fleetOffice({ rateLimits: 'realistic' });
    const { db } = office;
    await office.run('fleet enroll --extension 101,102,103');
    const stop = new AbortController();
    let requests = 0;
    office.onRequest = (path) => {
      if (path.endsWith('/message-sync')) requests += 1;
      return Promise.resolve();
    };
    await office.run('fleet worker --once --concurrency 1');
    const done = requests;
    expect(done).toBe(3);
    // The replies have named the limit. Each request was counted once: with its task, or the one that reads the user at the start.
    expect(await db.query(`select lim - remaining as used from budget where grp = 'light'`)).toEqual([
      { used: 4 },
    ]);
    await db.run(
      `update budget set remaining = 0, resets_at = store_now() + interval '10 minutes' where grp = 'light'`,
    );
    await office.run('fleet retry --extension 101,102,103');
    const working = office.run('fleet worker', { signal: stop.signal });
    try {
      const status = await statusOf(office);
      expect(status['limited']).toMatchObject({
        count: 1,
        advice: 'more workers do not help; add a sign-in: ucctl fleet session add',
      });
      expect(status['limited']?.detail).toMatch(/ light for \d+ s/);
      expect(await db.query(`select 1 from fleet_task where lease_until > store_now()`)).toEqual([]);
    } finally {
      stop.abort();
      await working;
    }
    expect(requests).toBe(done);
    expect(await office.rows('fleet budget')).toContainEqual(
      expect.objectContaining({ group: 'light', remaining: 0 }),
    );
  });

  it('pauses, resumes, drains and removes', async () => {
    const office = await fleetOffice();
    await office.run('fleet enroll --extension 101,102');
    expect(await office.rows('fleet pause --extension 101 --tasks messages')).toEqual([
      { task: 'messages', changed: 1 },
    ]);
    await office.run('fleet worker --once');
    expect((await statusOf(office))['paused']).toMatchObject({ count: 1, advice: 'ucctl fleet resume' });
    expect(await office.db.query(`select label from fleet_task where runs = 1`)).toEqual([{ label: '102' }]);
    expect(await office.rows('fleet resume --tasks messages')).toEqual([{ task: 'messages', changed: 1 }]);
    await office.run('fleet worker --once');
    expect(await office.db.query(`select label from fleet_task where runs = 1 order by 1`)).toEqual([
      { label: '101' },
      { label: '102' },
    ]);
    const unknown = await office.run('fleet drain nobody -o json');
    expect(unknown).toMatchObject({ exit: 3 });
    const removed = await office.rows('fleet enroll --extension 101 --remove');
    expect(removed).toMatchObject([{ task: 'messages', removed: 1, added: 0 }]);
  });

  it('copies attachments after the messages that have them', async () => {
    const office = await fleetOffice();
    await office.sandbox.control('POST', '/triggers/voicemail', { to: '101', from: '+15555550177' });
    await office.run('fleet enroll --extension 101 --tasks messages,media --every 1h');
    await office.db.run(
      `update fleet_task set due_at = store_now() + interval '1 hour' where kind = 'media'`,
    );
    const { exit } = await office.run('fleet worker --once');
    expect(exit).toBe(0);
    const [media] = await office.db.query<{ count: number }>('select count(*) as count from media');
    expect(media?.count).toBeGreaterThan(0);
    expect(await office.db.query(`select runs from fleet_task where kind = 'media'`)).toEqual([{ runs: 1 }]);
  });

  it('ends a drained worker with exit 0, and says why it ended', async () => {
    const office = await fleetOffice();
    await office.run('fleet enroll --extension 101');
    let drained: readonly object[] = [];
    office.onRequest = async (path) => {
      if (path.endsWith('/message-sync')) drained = await office.rows('fleet drain');
    };
    const { exit, stderr } = await office.run('fleet worker --lease 1s --log-format json');
    expect(exit).toBe(0);
    expect(drained).toHaveLength(1);
    const entries = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(entries.at(-1)).toMatchObject({
      level: 'info',
      message: expect.stringMatching(/^Worker \S+ was drained: its tasks have ended\.$/),
    });
    expect(await office.db.query('select runs from fleet_task')).toEqual([{ runs: 1 }]);
  });

  it('marks a task failed when the service rejects it, and retries it on request', async () => {
    const office = await fleetOffice();
    await office.run('fleet enroll --extension 101');
    await office.db.run(`update fleet_task set subject = '4711', label = 'gone'`);
    await office.run('fleet worker --once');
    expect((await statusOf(office))['failed']).toMatchObject({
      count: 1,
      advice: 'fix the problem, then run: ucctl fleet retry',
    });
    expect(await office.rows('fleet retry --tasks messages')).toEqual([{ task: 'messages', changed: 1 }]);
    expect(await office.db.query('select state, attempts from fleet_task')).toEqual([
      { state: 'active', attempts: 0 },
    ]);
  });

  it('makes all tasks due on request, also those that wait for their interval', async () => {
    const office = await fleetOffice();
    await office.run('fleet enroll --extension 101,102 --tasks messages,calls --every 1h');
    await office.run('fleet worker --once');
    expect(await office.rows('fleet retry --tasks messages,calls')).toMatchObject([
      { task: 'messages', changed: 0 },
      { task: 'calls', changed: 0 },
    ]);
    expect(await office.rows('fleet retry --extension all --tasks messages,calls')).toEqual([
      { task: 'messages', changed: 2 },
      { task: 'calls', changed: 1 },
    ]);
    expect((await statusOf(office))['due']).toMatchObject({ count: 3 });
  });

  it('removes the tasks of mailboxes that the service no longer has', async () => {
    const office = await fleetOffice();
    const enrolled = () => office.db.query('select kind, label from fleet_task order by kind, label');
    await office.run('fleet enroll --extension 101,102,103 --tasks messages,media,calls');
    await office.db.run(
      `update fleet_task set subject = '47' || label, label = '9' || label where label in ('102', '103')`,
    );
    expect(await office.run('fleet enroll --extension 105000 --remove')).toMatchObject({ exit: 3 });
    expect(await office.rows('fleet enroll --extension 9102,47103 --tasks messages --remove')).toMatchObject([
      { task: 'messages', removed: 2 },
    ]);
    expect(await enrolled()).toEqual([
      { kind: 'calls', label: 'account' },
      { kind: 'media', label: '101' },
      { kind: 'media', label: '9102' },
      { kind: 'media', label: '9103' },
      { kind: 'messages', label: '101' },
    ]);
    expect(await office.rows('fleet enroll --extension all --tasks media --remove')).toMatchObject([
      { task: 'media', removed: 3 },
    ]);
    expect(await enrolled()).toEqual([
      { kind: 'calls', label: 'account' },
      { kind: 'messages', label: '101' },
    ]);
  });

  it('asks for a migration if the store lacks its tables', async () => {
    const office = await fleetOffice();
    const { url } = await testStore(migrations.slice(0, migrations.indexOf(fleetMigration)));
    const status = await office.run(`fleet status --store ${url} -o json`);
    expect(status.exit).toBe(12);
    expect(JSON.parse(status.stderr)).toMatchObject({
      error: { code: 'store_older', hint: 'ucctl store migrate' },
    });
    expect(await office.run(`store migrate --store ${url}`)).toMatchObject({ exit: 0 });
    expect(await office.run(`fleet status --store ${url}`)).toMatchObject({ exit: 0 });
  });

  it('works with a store that lacks the newest step', async () => {
    const office = await fleetOffice();
    const { url } = await testStore(migrations.slice(0, -1));
    for (const words of ['fleet enroll --extension 101', 'fleet worker --once', 'sync --extension 101'])
      expect([words, (await office.run(`${words} --store ${url}`)).exit]).toEqual([words, 0]);
  });
});
