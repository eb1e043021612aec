import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/index.ts';
import { userClient } from '../request.ts';
import { outside, quietSandbox } from './office.ts';

const log = '/account/~/extension/~/call-log';
const ringout = '/account/~/extension/~/ringout';

const touch = (sandbox: Sandbox, number: string, action: string) =>
  sandbox.control('POST', `/phones/${encodeURIComponent(number)}/${action}`, {});
const place = (sandbox: Sandbox, call: object) => sandbox.control('POST', '/triggers/call', call);

async function manualCall(to = outside) {
  const sandbox = await quietSandbox({ callProgression: 'manual' });
  const user = await userClient(sandbox, '102');
  const { body } = await user.post(ringout, { to: { phoneNumber: to } });
  const statuses = async () =>
    Object.values((await user.get(`${ringout}/${body.id}`)).body['status'] as object).join('/');
  return { sandbox, user, statuses };
}

describe('actions on phones', () => {
  test('spec:SANDBOX-11 phones answer both legs and hang up', async () => {
    const { sandbox, statuses } = await manualCall();
    await touch(sandbox, '+16505550142', 'answer');
    expect(await statuses()).toBe('InProgress/Success/InProgress');
    expect(await touch(sandbox, outside, 'answer')).toMatchObject({
      legStatus: 'Success',
      callStatus: 'Success',
    });
    await touch(sandbox, outside, 'hangup');
    expect(await statuses()).toBe('Success/Finished/Finished');
    await sandbox.close();
  });

  test('spec:RINGOUT-22 the first leg hangs up while the second rings, which gives the second leg Rejected', async () => {
    const { sandbox, statuses } = await manualCall();
    await touch(sandbox, '+16505550142', 'answer');
    await touch(sandbox, '+16505550142', 'hangup');
    expect(await statuses()).toBe('CannotReach/Finished/Rejected');
    await sandbox.close();
  });

  test('spec:SANDBOX-11 phones reject calls: busy and reject', async () => {
    for (const [action, status] of [
      ['busy', 'Busy'],
      ['reject', 'Rejected'],
    ] as const) {
      const { sandbox, statuses } = await manualCall();
      await touch(sandbox, '+16505550142', 'answer');
      await touch(sandbox, outside, action);
      expect(await statuses()).toBe(`CannotReach/Finished/${status}`);
      await sandbox.close();
    }
  });

  test('a phone that does not ring cannot be answered', async () => {
    await using sandbox = await quietSandbox();
    await expect(touch(sandbox, outside, 'answer')).rejects.toThrow('is not ringing');
    await expect(touch(sandbox, outside, 'hangup')).rejects.toThrow('has no call');
    await expect(touch(sandbox, outside, 'sing')).rejects.toThrow('answer, busy, reject, hangup');
  });
});

describe('a call that is forwarded', () => {
  const mobile = '+16505550142';

  test('spec:CALL-6 answered at the forwarding number has a leg FindMe', async () => {
    await using sandbox = await quietSandbox({ callProgression: 'manual' });
    const user = await userClient(sandbox, '102');
    await place(sandbox, { to: '+16505550112' });
    expect(await touch(sandbox, mobile, 'answer')).toMatchObject({ callStatus: 'Success' });
    await sandbox.clock.advance(20_000);
    await touch(sandbox, mobile, 'hangup');
    const [record] = (await user.get(`${log}?view=Detailed`)).body.records;
    expect(record).toMatchObject({
      result: 'Accepted',
      to: { phoneNumber: '+16505550112' },
      legs: [
        { legType: 'Accept', result: 'Accepted', master: true },
        {
          legType: 'FindMe',
          action: 'FindMe',
          result: 'Call connected',
          direction: 'Outbound',
          duration: 20,
          to: { phoneNumber: mobile },
          extension: { id: 171_857_102 },
        },
      ],
    });
  });

  test('answered at its own telephone has none', async () => {
    await using sandbox = await quietSandbox({ callProgression: 'manual' });
    const user = await userClient(sandbox, '102');
    await place(sandbox, { to: '+16505550112' });
    await touch(sandbox, '102', 'answer');
    await expect(touch(sandbox, mobile, 'hangup')).rejects.toThrow('has no call');
    await touch(sandbox, '102', 'hangup');
    const [record] = (await user.get(`${log}?view=Detailed`)).body.records;
    expect(record?.['legs']).toMatchObject([{ legType: 'Accept' }]);
  });

  test('does not ring a number without call forwarding, or one of somebody else', async () => {
    await using sandbox = await quietSandbox({ callProgression: 'manual' });
    await place(sandbox, { to: '+16505550112' });
    for (const number of ['+16505550146', '+16505550143'])
      await expect(touch(sandbox, number, 'answer')).rejects.toThrow('is not ringing');
  });
});

describe('calls from outside', () => {
  test('a call that the person rejects leaves a voicemail, which the call record links', async () => {
    await using sandbox = await quietSandbox();
    const user = await userClient(sandbox, '102');
    await user.put('/account/~/extension/~/presence', { dndStatus: 'DoNotAcceptAnyCalls' });
    await place(sandbox, { to: '+16505550112', fromName: 'A customer' });
    await sandbox.clock.advance(60_000);
    const [record] = (await user.get(log)).body.records;
    expect(record).toMatchObject({
      direction: 'Inbound',
      result: 'Voicemail',
      from: { phoneNumber: outside, name: 'A customer' },
      message: { type: 'VoiceMail' },
    });
    const { uri } = (record?.['message'] ?? {}) as { uri: string };
    expect((await user.get(uri.replace(sandbox.url, ''))).body).toMatchObject({
      type: 'VoiceMail',
      readStatus: 'Unread',
    });
  });

  test('spec:CALL-20, CALL-21 a queue call hunts its agents: who does not answer has missed it, the next accepts', async () => {
    await using sandbox = await quietSandbox({ callProgression: 'manual' });
    const { sessionId } = await place(sandbox, { to: '201' });
    await touch(sandbox, '102', 'reject');
    await touch(sandbox, '103', 'answer');
    await sandbox.clock.advance(45_000);
    await touch(sandbox, '103', 'hangup');
    const admin = await userClient(sandbox, 'administrator');
    const { records } = (await admin.get(`/account/~/call-log?sessionId=${String(sessionId)}&view=Detailed`))
      .body;
    const seen = records.map(({ extension, result }) => [
      (extension as { id: number }).id - 171_857_000,
      result,
    ]);
    expect(seen.toSorted(([a], [b]) => Number(a) - Number(b))).toEqual([
      [102, 'Missed'],
      [103, 'Accepted'],
      [201, 'Accepted'],
    ]);
    const queue = records.find(({ extension }) => (extension as { id: number }).id === 171_857_201);
    expect(
      ((queue?.['legs'] ?? []) as { action: string; result: string }[]).map((leg) => [
        leg.action,
        leg.result,
      ]),
    ).toEqual([
      ['Phone Call', 'Accepted'],
      ['Hunting', 'Missed'],
      ['Hunting', 'Accepted'],
    ]);
    expect(queue).toHaveProperty('recording.contentUri');
  });

  test('spec:CALL-21 a caller who hangs up before anyone answers has abandoned the queue', async () => {
    await using sandbox = await quietSandbox({ callProgression: 'manual' });
    const { sessionId } = await place(sandbox, { to: '+16505550121' });
    await touch(sandbox, outside, 'hangup');
    const manager = await userClient(sandbox, 'queue-manager');
    expect((await manager.get(log)).body.records).toMatchObject([{ sessionId, result: 'Abandoned' }]);
  });

  test('spec:SANDBOX-11 without a free agent the caller leaves a message for the queue', async () => {
    await using sandbox = await quietSandbox();
    const agent = await userClient(sandbox, '107');
    await agent.put('/account/~/extension/~/presence', { dndStatus: 'DoNotAcceptDepartmentCalls' });
    await place(sandbox, { to: '203' });
    await sandbox.clock.advance(60_000);
    const admin = await userClient(sandbox, 'administrator');
    expect((await admin.get('/account/~/call-log')).body.records).toMatchObject([
      { extension: { id: 171_857_203 }, result: 'Voicemail', message: { type: 'VoiceMail' } },
    ]);
  });

  test('an extension calls another by its short number', async () => {
    await using sandbox = await quietSandbox();
    await place(sandbox, { from: '104', to: '105', talkSeconds: 30 });
    await sandbox.clock.advance(60_000);
    const caller = await userClient(sandbox, '104');
    expect((await caller.get(`${log}?view=Detailed`)).body.records).toMatchObject([
      { action: 'Phone Call', result: 'Call connected', transport: 'VoIP', recording: { type: 'Automatic' } },
    ]);
    await expect(place(sandbox, { from: outside, to: '+442079460999' })).rejects.toThrow('in the account');
  });
});
