import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { MetricsAddress, type Monitored } from '../../support/metrics.ts';
import { natsMissing, testNats } from '../../support/nats.ts';
import { postgresMissing } from '../../support/postgres.ts';
import { fleetOffice, type FleetOffice } from '../fleet/fleet-office.ts';

/** Starts a command with metrics, which ends with the test. */
async function monitored(office: FleetOffice, words: string): Promise<Monitored> {
  const stop = new AbortController();
  const address = new MetricsAddress();
  const ended = office.run(`${words} --metrics-port 0`, {
    signal: stop.signal,
    onStderr: address.onStderr,
  });
  onTestFinished(async () => {
    stop.abort(new Error('interrupted'));
    await ended;
  });
  return address.monitored();
}

async function expectReady(service: Monitored, names: readonly string[]): Promise<void> {
  await eventually(async () => {
    const { status, body } = await service.text('/readyz');
    const { checks } = JSON.parse(body) as { readonly checks: Readonly<Record<string, string>> };
    expect([status, checks]).toEqual([200, Object.fromEntries(names.map((name) => [name, 'ok']))]);
  });
}

describe.skipIf(postgresMissing() ?? natsMissing())(
  'the checks of a receiver and a consumer with a stream',
  () => {
    it('fail while the server of the stream is down', async () => {
      const office = await fleetOffice({});
      const server = await testNats();
      const port = await freePort();
      const address = `--path /hook --public-url http://127.0.0.1:${port} --port ${port}`;
      const services = [
        await monitored(office, `webhook listen --no-subscribe ${address} --sink ${server.url}/EVENTS`),
        await monitored(office, `events consume copies --to ${server.url}/COPIES`),
      ] as const;
      const names = [
        ['store', 'stream'],
        ['store', 'stream', 'claim'],
      ] as const;
      for (const [index, service] of services.entries()) await expectReady(service, names[index] ?? []);
      await server.kill();
      for (const service of services)
        await eventually(async () => {
          const { status, body } = await service.text('/readyz');
          expect([status, body]).toEqual([
            503,
            expect.stringContaining('no connection to the server of stream'),
          ]);
        });
      await server.start();
      for (const [index, service] of services.entries()) await expectReady(service, names[index] ?? []);
    });
  },
);
