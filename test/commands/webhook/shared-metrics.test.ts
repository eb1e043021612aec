import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { conditionLimit } from '../../support/limits.ts';
import { postgresMissing } from '../../support/postgres.ts';
import { fleetOffice } from '../fleet/fleet-office.ts';
import { expectReady, monitored } from '../fleet/monitored.ts';

/** A server that answers each delivery with a status. */
async function target(status: number): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(status).end());
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.skipIf(postgresMissing())('metrics of receivers and consumers', () => {
  it('count acknowledged, repeated, rejected, processed and dead events', async () => {
    const office = await fleetOffice({
      listen: true,
      clock: 'real',
      settings: { webhookTimeoutMilliseconds: conditionLimit },
    });
    const { db, sandbox } = office;
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const receiver = await monitored(
      office,
      `webhook listen --sink store --extension 101 --public-url ${url} --port ${port}`,
    );
    await expectReady(receiver, ['store', 'subscription']);
    const start = await receiver.metrics();
    expect(start.get('ucctl_receiver_owner{receiver="listen"}')).toBe(1);
    expect(start.get('ucctl_receiver_subscription_ok{receiver="listen"}')).toBe(1);
    expect(start.get('ucctl_receiver_events_acknowledged_total{receiver="listen"}')).toBe(0);

    await sandbox.control('POST', '/triggers/sms', { to: '101', from: '+15555550100', text: 'hello' });
    const [event] = await eventually(async () => {
      const rows = await db.query<{ raw: string }>('select raw from event');
      expect(rows).toHaveLength(1);
      return rows;
    });
    const [stored] = await db.query<{ path: string; token: string }>('select path, token from receiver');
    const send = (headers: Record<string, string>) =>
      fetch(url + stored?.path, {
        method: 'POST',
        body: event?.raw ?? '',
        headers: { 'content-type': 'application/json', ...headers },
      });
    expect((await send({ 'verification-token': stored?.token ?? '' })).status).toBe(200);
    expect((await send({})).status).toBeGreaterThanOrEqual(400);
    const counted = await receiver.metrics();
    const values = ['events_acknowledged', 'events_duplicate', 'events_failed', 'requests_rejected'].map(
      (name) => counted.get(`ucctl_receiver_${name}_total{receiver="listen"}`),
    );
    expect(values).toEqual([2, 1, 0, 1]);
    expect(counted.get('ucctl_receiver_ack_duration_seconds_count{receiver="listen"}')).toBe(2);

    const good = await monitored(
      office,
      `events consume good --from start --forward-to ${await target(200)}`,
    );
    await expectReady(good, ['store', 'claim']);
    const bad = await monitored(
      office,
      `events consume bad --from start --attempts 1 --forward-to ${await target(500)}`,
    );
    await eventually(async () => {
      const [well, ill] = await Promise.all([good.metrics(), bad.metrics()]);
      expect(well.get('ucctl_consumer_attempts_total{consumer="good",result="done"}')).toBe(1);
      expect(well.get('ucctl_consumer_events_waiting{consumer="good"}')).toBe(0);
      expect(well.get('ucctl_consumer_lag_seconds{consumer="good"}')).toBe(0);
      expect(ill.get('ucctl_consumer_attempts_total{consumer="bad",result="dead"}')).toBe(1);
      expect(ill.get('ucctl_consumer_events_dead{consumer="bad"}')).toBe(1);
    });
    await office.run('events consumers good --remove --yes');
    const removed = await good.text('/readyz');
    expect([removed.status, JSON.parse(removed.body)]).toMatchObject([
      503,
      { checks: { claim: 'consumer good was removed' } },
    ]);
  });

  it('are only for --sink', async () => {
    const office = await fleetOffice();
    const { exit, stderr } = await office.run('webhook listen --metrics-port 0');
    expect([exit, stderr]).toEqual([
      2,
      expect.stringContaining('--metrics-port can be used only with --sink'),
    ]);
  });
});
