import { describe, expect, test } from 'vitest';
import {
  startSandbox,
  type Sandbox,
  type SandboxOptions,
  type SandboxSettings,
} from '../../../src/sandbox/index.ts';
import { rejection, userClient, type Answer } from '../request.ts';

const own = '/account/~/extension/~/ringout';
const outside = '+14155550199';

function statuses({ body }: Answer): string {
  const { callerStatus, calleeStatus, callStatus } = body['status'] as Record<string, string>;
  return `${callerStatus}/${calleeStatus}/${callStatus}`;
}

async function office(
  settings: Partial<SandboxSettings> = {},
  who = '102',
  dialect: SandboxOptions['dialect'] = 'spec',
) {
  const sandbox = await startSandbox({ listen: false, settings, dialect });
  const user = await userClient(sandbox, who);
  const start = async (to: string, from?: string) => {
    const json = { ...(from !== undefined && { from: { phoneNumber: from } }), to: { phoneNumber: to } };
    const answer = await user.post(own, json);
    const read = () => user.get(`${own}/${answer.body.id}`);
    return { answer, read, id: answer.body.id, path: `${own}/${answer.body.id}` };
  };
  return { sandbox, user, start };
}

/** The statuses that a call to this number goes through, a second at a time. */
async function course(sandbox: Sandbox, read: () => Promise<Answer>, seconds: number): Promise<string[]> {
  const seen: string[] = [];
  for (let second = 0; second <= seconds; second += 1) {
    const now = statuses(await read());
    if (seen.at(-1) !== now) seen.push(now);
    await sandbox.clock.advance(1000);
  }
  return seen;
}

test('spec:RINGOUT-10 the first leg may be named by the id of one of the own forwarding numbers', async () => {
  const { sandbox, user } = await office();
  const { body } = await user.get('/account/~/extension/~/forwarding-number');
  const id = body.records[0]?.['id'];
  const dial = (from: object) => user.post(own, { from, to: { phoneNumber: outside } });
  const answer = await dial({ forwardingNumberId: id });
  expect(answer.status).toBe(200);
  const active = await sandbox.control('GET', '/requests');
  expect(active['records']).toContainEqual(
    expect.objectContaining({ operation: 'startRingOut', status: 200, unread: [] }),
  );
  expect((await dial({ forwardingNumberId: Number(id) })).status).toBe(200);
  const unknown = await dial({ forwardingNumberId: '999999' });
  expect(rejection(unknown)).toBe('400 CMN-102');
  expect(unknown.body['parameterName']).toBe('from.forwardingNumberId');
  expect(rejection(await dial({}))).toBe('400 CMN-101');
  expect(rejection(await dial({ phoneNumber: 'x', forwardingNumberId: id }))).toBe('400 CMN-101');
  await sandbox.close();
});

describe('progress', () => {
  test('spec:RINGOUT-29 a good call: InProgress, answered by the caller, then by the callee, then Finished and still a Success', async () => {
    const { sandbox, start } = await office();
    const call = await start(outside);
    expect(call.answer.status).toBe(200);
    expect(await course(sandbox, call.read, 16)).toEqual([
      'InProgress/InProgress/InProgress',
      'Success/InProgress/InProgress',
      'Success/Success/Success',
      'Finished/Finished/Success',
    ]);
    await sandbox.close();
  });

  test('spec:RINGOUT-27 NoSessionFound is answered for a closed session', async () => {
    const { sandbox, start } = await office();
    const call = await start(outside);
    await sandbox.clock.advance(80_000);
    expect(statuses(await call.read())).toBe('NoSessionFound/NoSessionFound/Success');
    await sandbox.close();
  });

  test('spec:SANDBOX-9 immediate progression connects in the reply itself', async () => {
    const { sandbox, start } = await office({ callProgression: 'immediate' });
    expect(statuses((await start(outside)).answer)).toBe('Success/Success/Success');
    expect(statuses((await start('+12025550101')).answer)).toBe('Finished/Busy/CannotReach');
    await sandbox.close();
  });

  test('spec:SANDBOX-9 manual progression waits for a hand', async () => {
    const { sandbox, start } = await office({ callProgression: 'manual' });
    const call = await start(outside);
    await sandbox.clock.advance(3_000_000);
    expect(statuses(await call.read())).toBe('InProgress/InProgress/InProgress');
    await sandbox.close();
  });
});

describe('magic numbers reach every status', () => {
  const rows = [
    ['+12025550101', 'Finished/Busy/CannotReach'],
    ['+12025550102', 'Finished/NoAnswer/CannotReach'],
    ['+12025550103', 'Finished/Rejected/CannotReach'],
    ['+12025550104', 'Finished/GenericError/CannotReach'],
    ['+12025550105', 'Finished/InternationalDisabled/CannotReach'],
    ['+12025550106', 'Finished/Invalid/CannotReach'],
    ['+12025550107', 'Rejected/GenericError/CannotReach'],
    ['+12025550108', 'Finished/GenericError/NoAnsweringMachine'],
    ['+12025550109', 'Finished/Finished/Success'],
  ] as const;
  test.each(rows)(
    'spec:RINGOUT-16 to RINGOUT-18, RINGOUT-20 to RINGOUT-26, RINGOUT-28 a call to %s ends as %s',
    async (number, end) => {
      const { sandbox, start } = await office();
      const call = await start(number);
      await sandbox.clock.advance(30_000);
      expect(statuses(await call.read())).toBe(end);
      await sandbox.close();
    },
  );

  const first = [
    ['+12025550101', 'Busy/Rejected/CannotReach'],
    ['+12025550102', 'NoAnswer/Rejected/CannotReach'],
    ['+12025550109', 'Finished/Rejected/CannotReach'],
  ] as const;
  test.each(first)('spec:RINGOUT-20 to RINGOUT-22 a call from %s ends as %s', async (number, end) => {
    const { sandbox, start } = await office();
    const call = await start(outside, number);
    await sandbox.clock.advance(25_000);
    expect(statuses(await call.read())).toBe(end);
    await sandbox.close();
  });
});

describe('requests', () => {
  test('spec:RINGOUT-4, RINGOUT-1 to RINGOUT-3, RINGOUT-12 to RINGOUT-14 both spellings are one resource with one integer id', async () => {
    const { sandbox, user, start } = await office();
    const call = await start(outside);
    expect(Number.isInteger(call.id)).toBe(true);
    const other = await user.get(`/account/~/extension/~/ring-out/${call.id}`);
    expect(other.body).toEqual((await call.read()).body);
    expect(other.body.uri).toMatch(/\/extension\/171857102\/ringout\/\d+$/);
    const posted = await user.post('/account/~/extension/~/ring-out', { to: { phoneNumber: outside } });
    expect((await user.get(`${own}/${posted.body.id}`)).status).toBe(200);
    expect((await user.delete(`/account/~/extension/~/ring-out/${call.id}`)).status).toBe(204);
    await sandbox.close();
  });

  test('spec:RINGOUT-5 to is required, from only without a default forwarding number', async () => {
    const { sandbox, user } = await office();
    expect(rejection(await user.post(own, { from: { phoneNumber: outside } }))).toBe('400 CMN-101');
    expect((await user.post(own, { to: { phoneNumber: outside } })).status).toBe(200);
    const undecided = await userClient(sandbox, '106');
    const missing = await undecided.post(own, { to: { phoneNumber: outside } });
    expect([rejection(missing), missing.body.errors[0]?.parameterName]).toEqual(['400 CMN-101', 'from']);
    const both = { from: { phoneNumber: '+16505550146' }, to: { phoneNumber: outside } };
    expect((await undecided.post(own, both)).status).toBe(200);
    await sandbox.close();
  });

  test('spec:ERROR-5, RINGOUT-6, RINGOUT-8 an empty or invalid phoneNumber gives 400', async () => {
    const { sandbox, user } = await office();
    for (const phoneNumber of ['', '4155550199', '+0', '101', '+1415555019900000']) {
      expect(rejection(await user.post(own, { to: { phoneNumber } }))).toBe('400 CMN-101');
      const from = { from: { phoneNumber }, to: { phoneNumber: outside } };
      expect((await user.post(own, from)).body.errors[0]?.parameterName).toBe('from.phoneNumber');
    }
    await sandbox.close();
  });

  test('spec:RINGOUT-7 playPrompt is optional and a boolean', async () => {
    const { sandbox, user } = await office();
    const to = { phoneNumber: outside };
    expect((await user.post(own, { to, playPrompt: true })).status).toBe(200);
    expect(rejection(await user.post(own, { to, playPrompt: 'yes' }))).toBe('400 CMN-101');
    await sandbox.close();
  });

  test('spec:RINGOUT-9 a caller ID in the request is not read', async () => {
    const { sandbox, user } = await office();
    const body = { to: { phoneNumber: outside }, callerId: { phoneNumber: '+16505550100' } };
    expect((await user.post(own, body)).status).toBe(200);
    expect(sandbox.requestLog().at(-1)?.unread).toContain('callerId');
    await sandbox.close();
  });

  test('spec:RINGOUT-31 in dialect current the called person sees the caller ID of the request', async () => {
    const { sandbox, user } = await office({}, '102', 'current');
    const main = '+16505550100';
    const path = '/account/~/extension/~/ring-out';
    const dial = (phoneNumber: string) =>
      user.post(path, { to: { phoneNumber: '+16505550113' }, callerId: { phoneNumber } });
    expect((await dial(main)).status).toBe(200);
    expect(sandbox.requestLog().at(-1)?.unread).toEqual([]);
    const other = await userClient(sandbox, '103');
    await sandbox.clock.advance(3000);
    const seen = (await other.get('/account/~/extension/~/presence?detailedTelephonyState=true')).body;
    expect(seen['activeCalls']).toMatchObject([{ direction: 'Inbound', from: main, to: '+16505550113' }]);
    await sandbox.clock.advance(600_000);
    const record = async (who: typeof user) =>
      (await who.get('/account/~/extension/~/call-log')).body.records[0]?.['from'];
    expect(await record(other)).toMatchObject({ phoneNumber: main, extensionNumber: '102' });
    expect(await record(user)).toMatchObject({ phoneNumber: '+16505550142' });
    for (const [number, code] of [
      ['+16505550113', '400 CMN-101'],
      [outside, '400 CMN-101'],
      ['100', '400 CMN-101'],
    ] as const) {
      const rejected = await dial(number);
      expect(rejection(rejected)).toBe(code);
      expect(rejected.body.errors[0]?.parameterName).toBe('callerId.phoneNumber');
    }
    await sandbox.close();
  });

  test('spec:RINGOUT-26 without internationalCalling a call abroad is InternationalDisabled at once', async () => {
    const { sandbox, start } = await office({}, '107');
    const abroad = await start('+442079460999');
    expect(statuses(abroad.answer)).toBe('InternationalDisabled/InternationalDisabled/CannotReach');
    expect(statuses((await start(outside)).answer)).toBe('InProgress/InProgress/InProgress');
    await sandbox.close();
  });

  test('spec:SANDBOX-12 the app needs the one that guards the call', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const reader = await userClient(sandbox, '102', 'sandbox-reader');
    expect(rejection(await reader.post(own, { to: { phoneNumber: outside } }))).toBe('403 CMN-401');
  });

  test('another extension, another user, an unknown call', async () => {
    const { sandbox, user, start } = await office();
    const call = await start(outside);
    const foreign = '/account/~/extension/171857103/ringout';
    expect(rejection(await user.post(foreign, { to: { phoneNumber: outside } }))).toBe('403 CMN-404');
    expect(rejection(await (await userClient(sandbox, '103')).get(call.path))).toBe('404 CMN-102');
    for (const id of ['1', 'Y3MxNzIy', '8e9', '-1'])
      expect(rejection(await user.get(`${own}/${id}`))).toBe('404 CMN-102');
    await sandbox.close();
  });
});

describe('cancelling', () => {
  test('spec:RINGOUT-30 DELETE answers 204 while the callee is InProgress, also after the caller answered', async () => {
    const { sandbox, user, start } = await office();
    const early = await start(outside);
    expect((await user.delete(early.path)).status).toBe(204);
    expect(statuses(await early.read())).toBe('Rejected/Rejected/CannotReach');
    const late = await start(outside);
    await sandbox.clock.advance(2500);
    expect((await user.delete(late.path)).status).toBe(204);
    expect(statuses(await late.read())).toBe('Finished/Rejected/CannotReach');
    await sandbox.close();
  });

  test('spec:RINGOUT-30, ERROR-18 DELETE is rejected once the callee is not InProgress', async () => {
    const { sandbox, user, start } = await office();
    const call = await start(outside);
    await sandbox.clock.advance(5000);
    expect(rejection(await user.delete(call.path))).toBe('409 CMN-204');
    const busy = await start('+12025550101');
    await sandbox.clock.advance(5000);
    expect(rejection(await user.delete(busy.path))).toBe('409 CMN-204');
    await sandbox.close();
  });
});
