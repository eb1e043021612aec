import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { partsOf } from '../calls/office.ts';
import { rejection, send, userClient } from '../request.ts';

const own = '/account/~/extension/~/presence';

describe('reading', () => {
  test('presenceStatus sums up its parts', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    const after = async (change: object) => (await user.put(own, change)).body['presenceStatus'];
    expect((await user.get(own)).body).toMatchObject({
      extension: { id: 171857102, extensionNumber: '102' },
      presenceStatus: 'Available',
      telephonyStatus: 'NoCall',
      userStatus: 'Available',
      dndStatus: 'TakeAllCalls',
      allowSeeMyPresence: true,
    });
    expect(await after({ userStatus: 'Busy' })).toBe('Busy');
    expect(await after({ userStatus: 'Offline' })).toBe('Offline');
    expect(await after({ userStatus: 'Available', dndStatus: 'DoNotAcceptAnyCalls' })).toBe('Busy');
    expect(await after({ dndStatus: 'DoNotAcceptDepartmentCalls' })).toBe('Available');
  });

  test('spec:PRESENCE-17 an extension that is not a person answers Offline and no telephone', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    for (const id of ['171857201', '171857120']) {
      const { body } = await user.get(`/account/~/extension/${id}/presence?detailedTelephonyState=true`);
      expect(body['presenceStatus']).toBe('Offline');
      for (const member of ['telephonyStatus', 'userStatus', 'dndStatus', 'message', 'activeCalls']) {
        expect(body).not.toHaveProperty(member);
      }
    }
  });

  test('detailedTelephonyState adds the calls', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    expect((await user.get(`${own}?detailedTelephonyState=true&sipData=true`)).body['activeCalls']).toEqual(
      [],
    );
    expect((await user.get(own)).body).not.toHaveProperty('activeCalls');
    expect(rejection(await user.get(`${own}?detailedTelephonyState=perhaps`))).toBe('400 CMN-101');
  });

  test.each(['spec', 'current'] as const)('several extensions give a 207, dialect %s', async (dialect) => {
    await using sandbox = await startSandbox({ listen: false, dialect });
    const user = await userClient(sandbox, '102');
    await (await userClient(sandbox, '103')).put(own, { allowSeeMyPresence: false });
    const path = '/account/~/extension/~,171857103,171857104,999/presence';
    const mixed = await user.get(`${path}?detailedTelephonyState=true`);
    expect(mixed.status).toBe(207);
    const [head, ...parts] = partsOf(mixed);
    expect(head).toMatchObject({
      response: [
        { href: expect.stringMatching(/\/extension\/171857102\/presence$/) as string, status: 200 },
        { status: 403 },
        { status: 200 },
        { status: 404 },
      ],
    });
    expect(parts).toMatchObject([
      { extension: { id: 171857102 }, activeCalls: [] },
      { errors: [{ errorCode: 'CMN-408' }] },
      { extension: { id: 171857104 } },
      { errors: [{ errorCode: 'CMN-102' }] },
    ]);
    const array = await send(sandbox, 'GET', path, {
      token: user.token,
      headers: { accept: 'application/vnd.ringcentral.multipart+json' },
    });
    expect(array.body).toMatchObject([
      { resourceId: '171857102', status: 200 },
      { resourceId: '171857103', status: 403 },
      { resourceId: '171857104', status: 200 },
      { resourceId: '999', status: 404 },
    ]);
    const many = Array.from({ length: 51 }, (_, index) => index + 1).join(',');
    expect(rejection(await user.get(`/account/~/extension/${many}/presence`))).toBe('400 CMN-106');
    for (const ids of ['1,', '*', '1,x']) {
      expect(rejection(await user.get(`/account/~/extension/${ids}/presence`))).toBe('400 CMN-101');
    }
    expect(rejection(await user.put('/account/~/extension/171857102,171857103/presence', {}))).toBe(
      '400 CMN-101',
    );
  });

  test('spec:PRESENCE-22 a hidden presence is for its owner and administrators', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const path = '/account/~/extension/171857103/presence';
    const other = await userClient(sandbox, '102');
    const owner = await userClient(sandbox, '103');
    expect((await other.get(path)).status).toBe(200);
    await owner.put(own, { allowSeeMyPresence: false });
    expect(rejection(await other.get(path))).toBe('403 CMN-408');
    expect((await owner.get(path)).status).toBe(200);
    expect((await (await userClient(sandbox, 'administrator')).get(path)).status).toBe(200);
  });
});

describe('changing', () => {
  test('spec:PRESENCE-20 answers the whole presence and leaves the rest alone', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    await user.put(own, { message: 'In a meeting', ringOnMonitoredCall: true });
    const { body } = await user.put(own, { dndStatus: 'TakeDepartmentCallsOnly' });
    expect(body).toMatchObject({
      message: 'In a meeting',
      ringOnMonitoredCall: true,
      dndStatus: 'TakeDepartmentCallsOnly',
    });
  });

  test('spec:PRESENCE-2 in dialect current, a request without a body changes nothing', async () => {
    for (const [dialect, expected] of [
      ['current', 200],
      ['spec', 400],
    ] as const) {
      await using sandbox = await startSandbox({ listen: false, dialect });
      const user = await userClient(sandbox, '102');
      expect((await user.put(own)).status).toBe(expected);
    }
  });

  test('spec:PRESENCE-21 dialect current has the parts of the mode and the visibility of the caller ID', async () => {
    await using sandbox = await startSandbox({ listen: false, dialect: 'current' });
    const user = await userClient(sandbox, '102');
    const set = async (change: object) => (await user.put(own, change)).body;
    expect((await user.get(own)).body).toMatchObject({
      dndStatusPersonal: 'TakeAllCalls',
      acceptCallQueueCalls: true,
      callerIdVisibility: 'All',
    });
    expect(await set({ acceptCallQueueCalls: false, callerIdVisibility: 'None' })).toMatchObject({
      dndStatus: 'DoNotAcceptDepartmentCalls',
      dndStatusPersonal: 'TakeAllCalls',
      acceptCallQueueCalls: false,
      callerIdVisibility: 'None',
    });
    expect(await set({ dndStatusPersonal: 'DoNotAcceptAnyCalls' })).toMatchObject({
      dndStatus: 'DoNotAcceptAnyCalls',
      callerIdVisibility: 'None',
    });
    expect(await set({ dndStatus: 'TakeDepartmentCallsOnly' })).toMatchObject({
      dndStatusPersonal: 'DoNotAcceptAnyCalls',
      acceptCallQueueCalls: true,
    });
    for (const wrong of [{ dndStatusPersonal: 'Never' }, { callerIdVisibility: 'Some' }]) {
      expect(rejection(await user.put(own, wrong))).toBe('400 CMN-101');
    }
    const operator = await userClient(sandbox, 'operator');
    expect(rejection(await operator.put(own, { acceptCallQueueCalls: false }))).toBe('400 CMN-101');
    for (const dndStatusPersonal of ['DoNotAcceptAnyCalls', 'TakeAllCalls']) {
      const answer = await operator.put(own, { dndStatusPersonal });
      expect([answer.status, answer.body['dndStatus']]).toEqual([200, dndStatusPersonal]);
    }
  });

  test('spec:PRESENCE-21 dialect spec does not know these members', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    const { body } = await user.put(own, { acceptCallQueueCalls: false, callerIdVisibility: 'None' });
    expect(body['dndStatus']).toBe('TakeAllCalls');
    for (const name of ['dndStatusPersonal', 'acceptCallQueueCalls', 'callerIdVisibility']) {
      expect(body).not.toHaveProperty(name);
    }
  });

  test('spec:PRESENCE-18 queue modes need a queue', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const operator = await userClient(sandbox, 'operator');
    for (const dndStatus of ['DoNotAcceptDepartmentCalls', 'TakeDepartmentCallsOnly']) {
      expect(rejection(await operator.put(own, { dndStatus }))).toBe('400 CMN-101');
    }
    expect((await operator.put(own, { dndStatus: 'DoNotAcceptAnyCalls' })).status).toBe(200);
  });

  test('a message of more than 75 characters and an unknown status are rejected', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    expect((await user.put(own, { message: 'x'.repeat(75) })).status).toBe(200);
    expect(rejection(await user.put(own, { message: 'x'.repeat(76) }))).toBe('400 CMN-101');
    expect(rejection(await user.put(own, { userStatus: 'Asleep' }))).toBe('400 CMN-101');
  });

  test("spec:ERROR-20 only oneself or an administrator, and only a person's", async () => {
    await using sandbox = await startSandbox({ listen: false });
    const path = '/account/~/extension/171857103/presence';
    const admin = await userClient(sandbox, 'administrator');
    expect(rejection(await (await userClient(sandbox, '102')).put(path, { userStatus: 'Busy' }))).toBe(
      '403 CMN-404',
    );
    expect((await admin.put(path, { userStatus: 'Busy' })).body['userStatus']).toBe('Busy');
    const queue = await admin.put('/account/~/extension/171857201/presence', { userStatus: 'Busy' });
    expect(rejection(queue)).toBe('403 CMN-403');
  });
});

test('spec:OPERATION-15 spec:OPERATION-16 spec:PRESENCE-24 dialect current has a unified presence', async () => {
  await using sandbox = await startSandbox({ listen: false, dialect: 'current' });
  const user = await userClient(sandbox, '102');
  const unified = '/account/~/extension/~/unified-presence';
  expect((await user.get(unified)).body).toEqual({
    status: 'Available',
    chat: { status: 'Online', visibility: 'Visible', availability: 'Available' },
    telephony: { status: 'NoCall', visibility: 'Visible', availability: 'TakeAllCalls' },
    meeting: { status: 'NoMeeting' },
  });
  const after = async (change: object) => (await user.patch(unified, change)).body['status'];
  expect(await after({ telephony: { availability: 'DoNotAcceptQueueCalls' } })).toBe('Available');
  expect((await user.get(own)).body['dndStatus']).toBe('DoNotAcceptDepartmentCalls');
  expect(await after({ chat: { availability: 'DND' } })).toBe('DND');
  expect(await after({ chat: { visibility: 'Invisible' } })).toBe('Offline');
  await user.put(own, { dndStatus: 'TakeDepartmentCallsOnly' });
  expect((await user.get(unified)).body).toMatchObject({
    chat: { visibility: 'Invisible', availability: 'DND' },
    telephony: { status: 'NoCall', visibility: 'Visible' },
  });
  expect((await user.get(unified)).body['telephony']).not.toHaveProperty('availability');
  for (const change of [{ chat: { availability: 'Busy' } }, { telephony: { availability: 'Never' } }])
    expect(rejection(await user.patch(unified, change))).toBe('400 CMN-101');
  const several = await user.get('/account/~/extension/~,1,171857201/unified-presence');
  expect([several.status, several.headers.get('content-type')]).toEqual([
    207,
    expect.stringContaining('application/json'),
  ]);
  expect(several.body).toMatchObject([
    { resourceId: '171857102', status: 200, body: { status: 'Offline' } },
    { resourceId: '1', status: 404, body: { errors: [{ errorCode: 'CMN-102' }] } },
    { resourceId: '171857201', status: 200, body: { status: 'Offline' } },
  ]);
  const older = await startSandbox({ listen: false });
  expect(rejection(await (await userClient(older, '102')).get(unified))).toBe('404 AGW-404');
  await older.close();
});
