import { expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { userClient } from '../request.ts';
import { startWebhook } from '../webhook.ts';
import { conditionLimit } from '../../support/limits.ts';
import { outside, quietSandbox } from '../calls/office.ts';

const own = '/account/~/extension/~/presence';
const detailed = `${own}?detailedTelephonyState=true`;
const ringout = '/account/~/extension/~/ringout';

type Calls = readonly Readonly<Record<string, unknown>>[];

test('spec:SANDBOX-13 one call drives telephonyStatus and the presenceStatus computed from it', async () => {
  await using sandbox = await quietSandbox();
  const caller = await userClient(sandbox, '102');
  const callee = await userClient(sandbox, '103');
  await caller.post(ringout, { to: { phoneNumber: '+16505550113' } });
  const both = async () =>
    (await Promise.all([caller.get(own), callee.get(own)])).map(
      ({ body }) => `${String(body['telephonyStatus'])} ${String(body['presenceStatus'])}`,
    );
  expect(await both()).toEqual(['Ringing Busy', 'NoCall Available']);
  await sandbox.clock.advance(2000);
  expect(await both()).toEqual(['CallConnected Busy', 'Ringing Busy']);
  await sandbox.clock.advance(2000);
  expect(await both()).toEqual(['CallConnected Busy', 'CallConnected Busy']);
  await sandbox.clock.advance(10_000);
  expect(await both()).toEqual(['NoCall Available', 'NoCall Available']);
});

test('spec:PRESENCE-9 every telephonyStatus can be reached: NoCall, Ringing, CallConnected, OnHold, ParkedCall', async () => {
  await using sandbox = await quietSandbox();
  const user = await userClient(sandbox, '103');
  const act = (action: string) => sandbox.control('POST', `/phones/103/${action}`, {});
  const seen = async () => {
    const { body } = await user.get(detailed);
    const calls = body['activeCalls'] as Calls;
    return [body['telephonyStatus'], ...calls.map(({ telephonyStatus }) => telephonyStatus)].join(' ');
  };
  expect(await seen()).toBe('NoCall');
  await sandbox.control('POST', '/triggers/call', { to: '103' });
  expect(await seen()).toBe('Ringing Ringing');
  await expect(act('hold')).rejects.toThrow('has no call');
  await act('answer');
  expect(await seen()).toBe('CallConnected CallConnected');
  expect(await act('hold')).toMatchObject({ telephonyStatus: 'OnHold', legStatus: 'Success' });
  expect(await seen()).toBe('OnHold OnHold');
  await sandbox.clock.advance(1_800_000);
  expect(await seen()).toBe('OnHold OnHold');
  await act('resume');
  expect(await seen()).toBe('CallConnected CallConnected');
  await act('hold');
  await expect(act('hold')).rejects.toThrow('cannot hold now');
  await act('park');
  expect(await seen()).toBe('ParkedCall ParkedCall');
  await act('resume');
  await sandbox.clock.advance(10_000);
  expect(await seen()).toBe('NoCall');
  await expect(act('resume')).rejects.toThrow('has no call');
});

test('spec:PRESENCE-8, PRESENCE-16 every presenceStatus and meetingStatus can be reached', async () => {
  await using sandbox = await quietSandbox();
  const user = await userClient(sandbox, '103');
  const seen: string[] = [];
  for (const change of [
    { userStatus: 'Offline' },
    { userStatus: 'Busy' },
    { userStatus: 'Available' },
    { meetingStatus: 'Connected' },
    { meetingStatus: 'Disconnected' },
  ]) {
    await sandbox.control('POST', '/triggers/presence', { extension: '103', ...change });
    const { body } = await user.get(own);
    seen.push([body['presenceStatus'], body['userStatus'], body['meetingStatus']].join(' '));
  }
  expect(seen).toEqual([
    'Offline Offline Disconnected',
    'Busy Busy Disconnected',
    'Available Available Disconnected',
    'Busy Available Connected',
    'Available Available Disconnected',
  ]);
});

test('spec:PRESENCE-19 activeCalls tells each side of the call, with SIP data when asked for; spec:PRESENCE-4, PRESENCE-5', async () => {
  await using sandbox = await quietSandbox();
  const caller = await userClient(sandbox, '102');
  const callee = await userClient(sandbox, '103');
  const { id } = (await caller.post(ringout, { to: { phoneNumber: '+16505550113' } })).body;
  await sandbox.clock.advance(3000);
  const [call] = (await callee.get(`${detailed}&sipData=true`)).body['activeCalls'] as Calls;
  expect(call).toMatchObject({
    direction: 'Inbound',
    queueCall: false,
    from: '+16505550142',
    fromName: 'Dana Okafor',
    to: '+16505550113',
    toName: 'José Álvarez',
    telephonyStatus: 'Ringing',
    sessionId: String(id),
    sipData: { localUri: expect.stringContaining('+16505550113') as string },
  });
  expect(call?.['telephonySessionId']).toMatch(/^s-[0-9a-f]+$/);
  expect(call?.['partyId']).toMatch(/^p-[0-9a-f]+-2$/);
  const [other] = (await caller.get(detailed)).body['activeCalls'] as Calls;
  expect(other).toMatchObject({ direction: 'Outbound', telephonyStatus: 'CallConnected' });
  expect(other).not.toHaveProperty('sipData');
});

test('spec:PRESENCE-4 of many calls the latest seven are listed, and a queue call says so', async () => {
  await using sandbox = await quietSandbox({ callProgression: 'manual' });
  const user = await userClient(sandbox, '102');
  await sandbox.control('POST', '/triggers/call', { to: '201' });
  const [queueCall] = (await user.get(detailed)).body['activeCalls'] as Calls;
  expect(queueCall).toMatchObject({ queueCall: true, direction: 'Inbound', from: outside });
  for (let index = 0; index < 8; index += 1) await user.post(ringout, { to: { phoneNumber: outside } });
  const calls = (await user.get(detailed)).body['activeCalls'] as Calls;
  expect(calls).toHaveLength(7);
  expect(calls.map(({ queueCall: isQueue }) => isQueue)).not.toContain(true);
});

test.each(['spec', 'current'] as const)(
  'spec:PRESENCE-23 callInfo names the queue, dialect %s',
  async (dialect) => {
    await using sandbox = await startSandbox({
      listen: false,
      dialect,
      settings: { callProgression: 'manual' },
    });
    const user = await userClient(sandbox, '102');
    await sandbox.control('POST', '/triggers/call', { to: '201' });
    const [call] = (await user.get(detailed)).body['activeCalls'] as Calls;
    const callInfo = {
      primary: { type: 'QueueName', value: 'Support' },
      additional: { type: 'QueueExtension', value: '201' },
    };
    expect([call?.['queueCall'], call?.['callInfo']]).toEqual([
      true,
      dialect === 'current' ? callInfo : undefined,
    ]);
    await sandbox.control('POST', '/triggers/call', { to: '102' });
    const calls = (await user.get(detailed)).body['activeCalls'] as Calls;
    expect(calls.filter((one) => 'callInfo' in one)).toHaveLength(dialect === 'current' ? 1 : 0);
  },
);

test('spec:EVENT-19 detailed presence events follow the call, the last one tells it as final', async () => {
  await using webhook = await startWebhook();
  await using sandbox = await quietSandbox({
    webhookEncryption: 'never',
    webhookTimeoutMilliseconds: conditionLimit,
  });
  const user = await userClient(sandbox, '102');
  const created = await user.post('/subscription', {
    eventFilters: [detailed.replace('/account', '/restapi/v1.0/account')],
    deliveryMode: { transportType: 'WebHook', address: webhook.address },
  });
  expect(created.status).toBe(200);
  await user.post(ringout, { to: { phoneNumber: outside } });
  await sandbox.clock.advance(20_000);
  await sandbox.settled();
  const bodies = webhook
    .notifications()
    .map(
      ({ body }) =>
        body as { telephonyStatus: string; sequence: number; totalActiveCalls: number; activeCalls: Calls },
    );
  const course = bodies.map((body) => `${body.telephonyStatus} ${body.totalActiveCalls}`);
  expect([...new Set(course)]).toEqual(['Ringing 1', 'CallConnected 1', 'NoCall 0']);
  const sequences = bodies.map(({ sequence }) => sequence);
  expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
  expect(bodies.at(-1)?.activeCalls).toMatchObject([{ telephonyStatus: 'NoCall', terminationType: 'final' }]);
});
