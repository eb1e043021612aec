import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { natsMissing, testNats } from '../../support/nats.ts';
import { postgresMissing } from '../../support/postgres.ts';
import { fleetOffice } from '../fleet/fleet-office.ts';
import { expectReady, monitored } from '../fleet/monitored.ts';

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
