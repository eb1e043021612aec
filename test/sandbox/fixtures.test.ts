import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { userClient } from './request.ts';

test('spec:SANDBOX-17 call-center has 2,000 extensions, 40 of them queues, and one month of calls with recordings', async () => {
  await using sandbox = await startSandbox({ listen: false, fixture: 'call-center', clock: 'frozen' });
  const admin = await userClient(sandbox, 'administrator');
  const count = async (query: string) =>
    (await admin.get(`/account/~/extension?perPage=1${query}`)).body.paging['totalElements'];
  expect([await count(''), await count('&type=Department')]).toEqual([2000, 40]);
  const month = '/account/~/call-log?dateFrom=2025-12-06&perPage=max&view=Detailed';
  const { body } = await admin.get(month);
  expect(body.records).toHaveLength(1000);
  expect(body.navigation).toHaveProperty('nextPage');
  const { records } = (await admin.get(`${month}&recordingType=OnDemand`)).body;
  const [recorded] = records as unknown as [{ recording: { contentUri: string } }];
  const sound = await admin.get(recorded.recording.contentUri.replace(sandbox.url, ''));
  expect([sound.status, sound.headers.get('content-type')]).toEqual([200, 'audio/x-wav']);
});

test('spec:SANDBOX-17 enterprise has 10,000 extensions and 250 queues, and the same seed gives the same people', async () => {
  await using sandbox = await startSandbox({ listen: false, fixture: 'enterprise' });
  const user = await userClient(sandbox, '102');
  const count = async (query: string) =>
    (await user.get(`/account/~/extension?perPage=1${query}`)).body.paging['totalElements'];
  expect([await count(''), await count('&type=Department')]).toEqual([10_000, 250]);
  await using again = await startSandbox({ listen: false, fixture: 'enterprise' });
  const names = (which: typeof sandbox) => which.members(171_857_000 + 8001).map(({ name }) => name);
  expect(names(again)).toEqual(names(sandbox));
  expect(names(sandbox).length).toBeGreaterThan(30);
});

test('a fixture that does not exist is named', async () => {
  await expect(startSandbox({ listen: false, fixture: 'circus' })).rejects.toThrow('circus');
});
