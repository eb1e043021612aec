import { expect, it } from 'vitest';
import { postgresMissing } from '../../support/postgres.ts';
import { roleWith } from '../../support/postgres-role.ts';
import { fleetOffice } from './fleet-office.ts';

it.skipIf(postgresMissing())('a worker does not start with a store that is read-only', async () => {
  const office = await fleetOffice();
  const address = new URL(office.url);
  address.username = await roleWith(office.url, { default_transaction_read_only: 'on' });
  const { exit, stderr } = await office.run(`fleet worker --once --store ${address.href} -o json`);
  expect([exit, JSON.parse(stderr.trim().split('\n').at(-1) ?? '')]).toMatchObject([
    12,
    { error: { code: 'store_read_only' } },
  ]);
});
