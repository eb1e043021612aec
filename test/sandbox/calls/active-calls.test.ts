import { expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { latencyMilliseconds } from '../../../src/sandbox/calls/active-calls.ts';
import { rejection, userClient } from '../request.ts';
import { outside, quietSandbox } from './office.ts';

const own = '/account/~/extension/~/active-calls';
const ringout = '/account/~/extension/~/ringout';

test('spec:ACTIVE-6 active call latency is 3 to 10 seconds after the end', async () => {
  const latencies = Array.from({ length: 100 }, (_, id) => latencyMilliseconds(id));
  expect([Math.min(...latencies), Math.max(...latencies)]).toEqual([3000, 10_000]);
});

test('spec:ACTIVE-7 active call retention is about 120 seconds after the end', async () => {
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

test('spec:ACTIVE-3, ACTIVE-4 query parameters are dropped and only the Simple view exists', async () => {
  await using sandbox = await quietSandbox();
  const user = await userClient(sandbox, '102');
  await user.post(ringout, { to: { phoneNumber: outside } });
  await sandbox.clock.advance(5000);
  const plain = (await user.get(own)).body;
  const asked = (await user.get(`${own}?view=Detailed&direction=Inbound&perPage=bad`)).body;
  expect(asked).toEqual(plain);
  expect(plain.records[0]).not.toHaveProperty('legs');
  expect(plain.uri).toContain('/active-calls?view=Simple&page=1&perPage=');
  expect(plain.paging).toEqual({ page: 1, perPage: 1000, pageStart: 0, pageEnd: 0 });
  expect(Object.keys(plain.navigation)).toEqual(['firstPage']);
});

test('spec:ACTIVE-5, ACTIVE-2 calls that are still routed are not returned', async () => {
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
  expect(rejection(await user.get('/account/~/extension/171857103/active-calls'))).toBe('403 CMN-419');
});

test('spec:CURRENT-4, ACTIVE-3 dialect current: active calls have pages and filters', async () => {
  await using sandbox = await startSandbox({ listen: false, dialect: 'current' });
  const admin = await userClient(sandbox, 'administrator');
  for (const extension of ['102', '103']) {
    const user = await userClient(sandbox, extension);
    await user.post('/account/~/extension/~/ring-out', {
      to: { phoneNumber: extension === '102' ? '+16505550104' : outside },
    });
  }
  await sandbox.clock.advance(5000);
  const company = '/account/~/active-calls';
  const { body } = await admin.get(company);
  expect(body.paging).toMatchObject({ page: 1, perPage: 100 });
  const ids = body.records.map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(1);
  const page = (await admin.get(`${company}?perPage=1`)).body;
  expect([page.records.map(({ id }) => id), page.paging]).toMatchObject([[ids[0]], { page: 1, perPage: 1 }]);
  const next = new URL(page.navigation['nextPage']?.uri ?? '');
  expect((await admin.get(next.pathname + next.search)).body.records.map(({ id }) => id)).toEqual([ids[1]]);
  expect((await admin.get(`${company}?perPage=max`)).body.paging['perPage']).toBe(1000);
  for (const [name, value] of [
    ['direction', 'Outbound'],
    ['direction', 'Inbound'],
    ['transport', 'PSTN'],
    ['type', 'Fax'],
  ] as const) {
    const found = (await admin.get(`${company}?${name}=${value}&view=Detailed`)).body;
    const all = (await admin.get(`${company}?view=Detailed`)).body.records;
    expect(found.records).toEqual(all.filter((record) => record[name] === value));
    expect(found.uri).toContain(`${name}=${value}`);
  }
  expect((await admin.get(`${company}?view=Detailed`)).body.records[0]).toHaveProperty('legs');
  // No call of the sandbox is a conference.
  expect((await admin.get(`${company}?conferenceType=Meetings`)).body.records).toEqual([]);
  expect(rejection(await admin.get(`${company}?conferenceType=Other`))).toBe('400 CMN-101');
  expect(rejection(await admin.get(`${company}?perPage=bad`))).toBe('400 CMN-101');
});

test.each(['spec', 'current'] as const)(
  'dialect %s: the address of an active call answers during the call and after it, and the log lists it by the same id',
  async (dialect) => {
    await using sandbox = await startSandbox({ listen: false, dialect });
    const user = await userClient(sandbox, '102');
    const admin = await userClient(sandbox, 'administrator');
    const segment = dialect === 'spec' ? 'ringout' : 'ring-out';
    await user.post(`/account/~/extension/~/${segment}`, { to: { phoneNumber: outside } });
    await sandbox.clock.advance(5000);
    for (const [who, path] of [
      [user, own],
      [admin, '/account/~/active-calls'],
    ] as const) {
      const [active] = (await who.get(path)).body.records;
      const { pathname, search } = new URL(String(active?.['uri']));
      const during = (await who.get(pathname + search)).body;
      expect(during).toEqual(active);
      expect(during).toMatchObject({ result: 'In Progress' });
      expect((await who.get(`${pathname}?view=Detailed`)).body).toHaveProperty('legs');
    }
    const [active] = (await user.get(own)).body.records;
    await sandbox.clock.advance(60_000);
    const { pathname } = new URL(String(active?.['uri']));
    const [after] = (await user.get('/account/~/extension/~/call-log')).body.records;
    expect(after).toMatchObject({ id: active?.['id'], result: 'Call connected' });
    expect((await user.get(pathname)).body).toEqual(after);
    expect((await user.get(own)).body.records[0]).toMatchObject({
      id: active?.['id'],
      result: 'Call connected',
    });
    const other = await userClient(sandbox, '103');
    expect(rejection(await other.get(`/account/~/extension/~/call-log/${String(active?.['id'])}`))).toBe(
      '404 CMN-102',
    );
  },
);

test('a queue call keeps the ids of its records while one agent after the other is rung', async () => {
  await using sandbox = await quietSandbox({ callTalkMilliseconds: 60_000 });
  const admin = await userClient(sandbox, 'administrator');
  await sandbox.control('POST', '/triggers/call', { from: outside, to: '201' });
  await sandbox.clock.advance(4000);
  const active = (await admin.get('/account/~/active-calls')).body.records;
  expect(active.length).toBeGreaterThan(1);
  await sandbox.clock.advance(120_000);
  const logged = (await admin.get('/account/~/call-log')).body.records;
  for (const { id, extension } of active) {
    expect(logged.find((record) => record['id'] === id)).toMatchObject({ extension: extension as object });
  }
});
