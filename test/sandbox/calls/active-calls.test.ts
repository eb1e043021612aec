import { expect, test } from 'vitest';
import { latencyMilliseconds } from '../../../src/sandbox/calls/active-calls.ts';
import { refusal, userClient } from '../request.ts';
import { outside, quietSandbox } from './office.ts';

const own = '/account/~/extension/~/active-calls';
const ringout = '/account/~/extension/~/ringout';

test('spec:Limits row 9 active call latency is 3 to 10 seconds after the end', async () => {
  const latencies = Array.from({ length: 100 }, (_, id) => latencyMilliseconds(id));
  expect([Math.min(...latencies), Math.max(...latencies)]).toEqual([3000, 10_000]);
});

test('spec:Limits row 10 active call retention is about 120 seconds after the end', async () => {
  await using sandbox = await quietSandbox({ callTalkMilliseconds: 40_000 });
  const user = await userClient(sandbox, '102');
  await user.post(ringout, { to: { phoneNumber: outside } });
  await sandbox.clock.advance(44_000);
  const results = async () => (await user.get(own)).body.records.map(({ result }) => result);
  await sandbox.clock.advance(2000);
  expect(await results()).toEqual(['In Progress']);
  await sandbox.clock.advance(9000);
  expect(await results()).toEqual(['Call connected']);
  await sandbox.clock.advance(108_000);
  expect(await results()).toEqual(['Call connected']);
  await sandbox.clock.advance(2000);
  expect(await results()).toEqual([]);
});

test('spec:Call log and active calls sentences 2 and 3; spec:Call log record sentence 6 query parameters are dropped and only the Simple view exists', async () => {
  await using sandbox = await quietSandbox();
  const user = await userClient(sandbox, '102');
  await user.post(ringout, { to: { phoneNumber: outside } });
  await sandbox.clock.advance(5000);
  const plain = (await user.get(own)).body;
  const asked = (await user.get(`${own}?view=Detailed&direction=Inbound&perPage=bad`)).body;
  expect(asked).toEqual(plain);
  expect(plain.records[0]).not.toHaveProperty('legs');
});

test('spec:Call log and active calls sentence 4; spec:Call log and active calls row 4 calls that are still routed are not returned', async () => {
  await using sandbox = await quietSandbox();
  const user = await userClient(sandbox, '102');
  const admin = await userClient(sandbox, 'administrator');
  await user.post(ringout, { to: { phoneNumber: '+16505550113' } });
  await sandbox.clock.advance(3000);
  expect((await admin.get('/account/~/active-calls')).body.records).toEqual([]);
  await sandbox.clock.advance(2000);
  const { records } = (await admin.get('/account/~/active-calls')).body;
  expect(records.map(({ direction }) => direction)).toEqual(['Outbound', 'Inbound']);
  const callee = await userClient(sandbox, '103');
  expect((await callee.get(own)).body.records).toHaveLength(1);
  expect(refusal(await user.get('/account/~/extension/171857103/active-calls'))).toBe('403 CMN-419');
});
