import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { MetricsAddress } from '../../support/metrics.ts';
import { postgresMissing } from '../../support/postgres.ts';
import { fleetOffice } from './fleet-office.ts';

describe.skipIf(postgresMissing())('--metrics-port', () => {
  it('serves metrics and health, and reports a store that does not answer', async () => {
    const office = await fleetOffice();
    const { db } = office;
    await office.run('fleet enroll --extension 101 --every 1h');
    const address = new MetricsAddress();
    const stop = new AbortController();
    const ended = office.run('fleet worker --metrics-port 0 --lease 1s', {
      signal: stop.signal,
      onStderr: address.onStderr,
    });
    onTestFinished(async () => {
      stop.abort(new Error('interrupted'));
      await ended;
    });
    const worker = await address.monitored();
    await eventually(async () => {
      const ready = await worker.text('/readyz');
      expect([ready.status, JSON.parse(ready.body)]).toEqual([
        200,
        { status: 'ok', checks: { store: 'ok', session: 'ok', service: 'ok', claim: 'ok' } },
      ]);
    });
    const live = await worker.text('/livez');
    expect([live.status, JSON.parse(live.body)]).toEqual([200, { status: 'ok', checks: { loop: 'ok' } }]);
    const { type, body } = await worker.text('/metrics');
    expect(type).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(problemsOf(body)).toEqual([]);
    const metrics = await worker.metrics();
    expect(metrics.get('process_resident_memory_bytes')).toBeGreaterThan(1e6);
    expect(metrics.get('ucctl_uptime_seconds')).toBeGreaterThan(0);
    expect(metrics.get('ucctl_build_info{version="0.0.0-test"}')).toBe(1);
    expect((await worker.text('/other')).status).toBe(404);

    await db.script('alter table fleet_task rename to fleet_task_away');
    const down = await worker.metrics();
    expect(down.get('ucctl_store_up')).toBe(0);
    expect(down.get('ucctl_fleet_tasks{task="messages"}')).toBeUndefined();
    await eventually(async () => {
      const report = await worker.text('/readyz');
      expect(report.status).toBe(503);
      expect(JSON.parse(report.body)).toMatchObject({
        status: 'failed',
        checks: { store: expect.stringContaining('fleet_task') as string, session: 'ok' },
      });
      expect((await worker.text('/readyz?exclude=store')).status).toBe(200);
    });
    await db.script('alter table fleet_task_away rename to fleet_task');
    await eventually(async () => expect((await worker.text('/readyz')).status).toBe(200));
    expect((await worker.metrics()).get('ucctl_store_up')).toBe(1);
  });

  it('rejects a port in use before the worker starts', async () => {
    const office = await fleetOffice();
    const port = await freePort();
    const other = createServer().listen(port, '127.0.0.1');
    onTestFinished(() => {
      other.close();
    });
    const { exit, stderr } = await office.run(`fleet worker --once --metrics-port ${port} -o json`);
    expect(exit).toBe(12);
    expect(JSON.parse(stderr)).toMatchObject({
      error: {
        code: 'cannot_listen',
        message: `metrics: port ${port} of 127.0.0.1 is already in use`,
        hint: 'choose another port with --metrics-port; 0 selects a free port',
      },
    });
    expect(await office.db.query('select * from fleet_worker')).toEqual([]);
  });
});

/** Returns the metrics that break a convention of Prometheus. */
function problemsOf(text: string): readonly string[] {
  const types = new Map(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type] as const),
  );
  const helped = new Set([...text.matchAll(/^# HELP (\S+) \S.*$/gm)].map(([, name]) => name));
  const problems: string[] = [];
  for (const [name, type] of types) {
    if (!/^(ucctl|process)_[a-z][a-z_]*$/.test(name)) problems.push(`${name}: name`);
    if (!helped.has(name)) problems.push(`${name}: no help`);
    if (name.endsWith('_total') !== (type === 'counter')) problems.push(`${name}: ${type}`);
    if (/_(ms|milliseconds|minutes|kb|count)(_|$)/.test(name)) problems.push(`${name}: unit`);
    if (type === 'histogram' && !name.endsWith('_seconds')) problems.push(`${name}: unit of histogram`);
  }
  return problems;
}
