import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { MetricsAddress, type Monitored } from '../../support/metrics.ts';
import { postgresMissing, storeClock } from '../../support/postgres.ts';
import { fleetOffice, type FleetOffice, takeOverFirst } from './fleet-office.ts';

interface StatusLine {
  readonly state: string;
  readonly count: number;
  readonly detail: string;
  readonly advice?: string;
}

async function lineOf(office: FleetOffice, state: string): Promise<StatusLine | undefined> {
  return (await office.rows<StatusLine>('fleet status')).find((line) => line.state === state);
}

/** Starts a worker with metrics, which ends with the test. */
async function monitoredWorker(office: FleetOffice, words = ''): Promise<Monitored> {
  const stop = new AbortController();
  const address = new MetricsAddress();
  const ended = office.run(`fleet worker --metrics-port 0 ${words}`, {
    signal: stop.signal,
    onStderr: address.onStderr,
  });
  onTestFinished(async () => {
    stop.abort(new Error('interrupted'));
    await ended;
  });
  return address.monitored();
}

/** Waits until metrics have these values. */
async function expectMetrics(
  worker: Monitored,
  wanted: Readonly<Record<string, number>>,
): Promise<ReadonlyMap<string, number>> {
  return eventually(async () => {
    const metrics = await worker.metrics();
    const found = Object.fromEntries(Object.keys(wanted).map((name) => [name, metrics.get(name)]));
    expect(found).toEqual(wanted);
    return metrics;
  });
}

describe.skipIf(postgresMissing())('a state of the fleet, as metric, line of fleet status and advice', () => {
  it('due', async () => {
    const office = await fleetOffice();
    const start = Date.now();
    const setClock = await storeClock(office.db, start);
    await office.run('fleet enroll --extension 101,102 --every 1h');
    const idle = await monitoredWorker(office, '--tasks calls');
    await expectMetrics(idle, {
      'ucctl_fleet_workers{state="running"}': 1,
      'ucctl_fleet_tasks_due{task="messages"}': 2,
    });
    await setClock(start + 90_000);
    const metrics = await expectMetrics(idle, {
      'ucctl_fleet_tasks{task="messages"}': 2,
      'ucctl_fleet_tasks_due{task="messages"}': 2,
      'ucctl_fleet_tasks_late{task="messages"}': 0,
      // The worker has reported itself since the clock moved.
      'ucctl_fleet_workers{state="running"}': 1,
      ucctl_fleet_budgets_limited: 0,
      ucctl_store_up: 1,
    });
    expect(metrics.get('ucctl_fleet_oldest_due_seconds{task="messages"}')).toBeGreaterThanOrEqual(90);
    expect(await lineOf(office, 'due')).toMatchObject({
      count: 2,
      advice: 'if the number does not decrease, start more workers, or raise --concurrency',
    });
    // The advice: more workers.
    expect((await office.run('fleet worker --once')).exit).toBe(0);
    await expectMetrics(idle, {
      'ucctl_fleet_tasks_due{task="messages"}': 0,
      'ucctl_fleet_runs_total{task="messages"}': 2,
    });
    expect(await lineOf(office, 'due')).toMatchObject({ count: 0 });
  });

  it('late', async () => {
    const office = await fleetOffice();
    const start = Date.now();
    const setClock = await storeClock(office.db, start);
    await office.run('fleet enroll --extension 101,102,103 --every 1m');
    await office.run('fleet worker --once');
    const idle = await monitoredWorker(office, '--tasks calls');
    await setClock(start + 119_000);
    await expectMetrics(idle, { 'ucctl_fleet_tasks_late{task="messages"}': 0 });
    await setClock(start + 121_000);
    await expectMetrics(idle, {
      'ucctl_fleet_tasks_late{task="messages"}': 3,
      'ucctl_fleet_workers{state="running"}': 1,
    });
    expect(await lineOf(office, 'late')).toMatchObject({
      count: 3,
      advice: 'start more workers, or raise --concurrency',
    });
  });

  it('workers, which do not take over tasks if no other worker runs', async () => {
    const office = await fleetOffice();
    const { db } = office;
    await office.run('fleet enroll --extension 101');
    const add = (name: string) =>
      db.run(
        `insert into fleet_worker (worker, machine, pid, version, concurrency) values ($1, 'east', 1, '1', 1)`,
        [name],
      );
    await add('first');
    await db.run(`update fleet_worker set seen_at = store_now() - interval '1 minute'`);
    expect(await lineOf(office, 'workers')).toEqual({
      state: 'workers',
      count: 0,
      detail: 'first lost, 0 tasks',
      advice: 'no report from 1 worker; start a worker: ucctl fleet worker',
    });
    await add('second');
    expect(await lineOf(office, 'workers')).toMatchObject({
      count: 1,
      advice: 'no report from 1 worker; other workers take over their tasks',
    });
  });

  it('fenced', async () => {
    const office = await fleetOffice();
    await office.run('fleet enroll --extension 101 --every 1h');
    takeOverFirst(office);
    const stalled = await monitoredWorker(office, '--concurrency 1 --lease 10m');
    const metrics = await expectMetrics(stalled, {
      'ucctl_fleet_fenced_total{task="messages"}': 1,
      'ucctl_fleet_runs_total{task="messages"}': 1,
      'ucctl_worker_attempts_total{task="messages",result="fenced"}': 1,
      'ucctl_worker_claims_total{task="messages"}': 1,
    });
    expect(metrics.get('ucctl_worker_attempts_total{task="messages",result="done"}')).toBeUndefined();
    expect(await lineOf(office, 'fenced')).toMatchObject({
      count: 1,
      detail: '1 reply discarded; no data was lost',
      advice: 'if the number grows, look for overloaded or suspended machines',
    });
  });

  it('limited', async () => {
    const office = await fleetOffice({ rateLimits: 'realistic' });
    const { db } = office;
    await office.run('fleet enroll --extension 101,102 --every 1h');
    await office.run('fleet worker --once');
    await db.run(
      `update budget set remaining = 0, resets_at = store_now() + interval '10 minutes' where grp = 'light'`,
    );
    await office.run('fleet retry --extension 101,102');
    const waiting = await monitoredWorker(office);
    const metrics = await expectMetrics(waiting, {
      ucctl_fleet_budgets_limited: 1,
      'ucctl_fleet_tasks_due{task="messages"}': 2,
      'ucctl_worker_limited_total{task="messages",session="default"}': 1,
    });
    const left = [...metrics].filter(([name]) =>
      /^ucctl_budget_remaining_requests\{.*group="light"/.test(name),
    );
    expect(left.map(([, value]) => value)).toEqual([0]);
    const wait = [...metrics].find(([name]) => /^ucctl_budget_wait_seconds\{.*group="light"/.test(name));
    expect(wait?.[1]).toBeGreaterThan(500);
    expect(await lineOf(office, 'limited')).toMatchObject({
      count: 1,
      advice: 'more workers do not help; add a sign-in: ucctl fleet session add',
    });
    expect(await lineOf(office, 'due')).toMatchObject({
      advice: 'the tasks wait for the rate limit; see the line "limited"',
    });
  });
});
