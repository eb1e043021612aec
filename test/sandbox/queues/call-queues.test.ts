import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { rejection, send, userClient } from '../request.ts';

const support = '171857201';
const open = () => startSandbox({ listen: false, dialect: 'current' });

describe('call queues', () => {
  test('spec:OPERATION-1 are listed, also those of one member', async () => {
    await using sandbox = await open();
    const user = await userClient(sandbox, '102');
    const all = await user.get('/account/~/call-queues?perPage=1');
    expect(all.body.records).toMatchObject([{ id: support, extensionNumber: '201', status: 'Enabled' }]);
    expect(all.body.paging['totalElements']).toBeGreaterThan(1);
    const own = await user.get('/account/~/call-queues?memberExtensionId=171857102');
    const ids = own.body.records.map(({ id }) => id);
    expect(ids).toContain(support);
    for (const id of ids) {
      expect(sandbox.members(String(id)).map((member) => String(member.id))).toContain('171857102');
    }
    const nobody = await user.get('/account/~/call-queues?memberExtensionId=171857100');
    expect(nobody.body.records).toEqual([]);
  });

  test('spec:OPERATION-2 spec:OPERATION-3 settings are read and changed by administrators only', async () => {
    await using sandbox = await open();
    const admin = await userClient(sandbox, 'administrator');
    const path = `/account/~/call-queues/${support}`;
    const before = await admin.get(path);
    expect(before.body).toMatchObject({ id: support, editableMemberStatus: true });
    const change = {
      name: 'Help desk',
      extensionNumber: '291',
      status: 'Disabled',
      serviceLevelSettings: { slaGoal: 95 },
      editableMemberStatus: false,
      alertTimer: 45,
    };
    const after = await admin.put(path, change);
    expect([after.status, after.body]).toEqual([
      200,
      {
        ...before.body,
        ...change,
        serviceLevelSettings: { ...(before.body['serviceLevelSettings'] as object), slaGoal: 95 },
      },
    ]);
    expect((await admin.get(path)).body).toEqual(after.body);
    expect((await admin.get(`/account/~/extension/${support}`)).body).toMatchObject({
      name: 'Help desk',
      status: 'Disabled',
    });
    const user = await userClient(sandbox, '102');
    expect(rejection(await user.put(path, change))).toBe('403 CMN-402');
    expect(rejection(await admin.put(path, { alertTimer: 7 }))).toBe('400 CMN-101');
    // A queue cannot be frozen, unlike a user.
    expect(rejection(await admin.put(path, { status: 'Frozen' }))).toBe('400 CMN-101');
    expect((await admin.put(path, { status: 'NotActivated' })).status).toBe(200);
    expect(rejection(await admin.put(path, { extensionNumber: '202' }))).toBe('400 CMN-101');
    expect(rejection(await admin.get('/account/~/call-queues/171857102'))).toBe('404 CMN-102');
  });

  test('spec:OPERATION-4 spec:OPERATION-5 members are listed, and changed all or none', async () => {
    await using sandbox = await open();
    const admin = await userClient(sandbox, 'administrator');
    const numbers = () => sandbox.members(support).map(({ extensionNumber }) => extensionNumber);
    const path = `/account/~/call-queues/${support}`;
    const listed = await admin.get(`${path}/members`);
    expect(listed.body.records.map(({ extensionNumber }) => extensionNumber)).toEqual(numbers());
    const before = numbers();
    const bad = { addedExtensionIds: ['171857106', '1'] };
    const rejected = await admin.post(`${path}/bulk-assign`, bad);
    expect(rejection(rejected)).toBe('400 CMN-102');
    expect(rejected.body.errors[0]?.parameterName).toBe('addedExtensionIds[1]');
    expect(numbers()).toEqual(before);
    const answer = await admin.post(`${path}/bulk-assign`, {
      addedExtensionIds: ['171857106'],
      removedExtensionIds: ['171857102'],
    });
    expect(answer.status).toBe(204);
    expect(numbers()).toEqual([...before.filter((number) => number !== '102'), '106']);
    const user = await userClient(sandbox, '102');
    expect(rejection(await user.post(`${path}/bulk-assign`, {}))).toBe('403 CMN-402');
  });

  test('spec:OPERATION-55 a queue is created with a free number, by administrators', async () => {
    await using sandbox = await open();
    const admin = await userClient(sandbox, 'administrator');
    const body = { type: 'Department', name: 'Night desk', extensionNumber: '290' };
    const made = await admin.post('/account/~/extension', body);
    expect([made.status, made.body]).toEqual([
      200,
      expect.objectContaining({
        type: 'Department',
        name: 'Night desk',
        extensionNumber: '290',
        status: 'Enabled',
      }),
    ]);
    expect((await admin.get(`/account/~/call-queues/${made.body.id}`)).status).toBe(200);
    expect(rejection(await admin.post('/account/~/extension', body))).toBe('400 CMN-101');
    expect(rejection(await admin.post('/account/~/extension', { ...body, type: 'User' }))).toBe(
      '400 CMN-101',
    );
    const unreachable = { ...body, extensionNumber: '291', contact: { firstName: 'Night desk' } };
    expect(rejection(await admin.post('/account/~/extension', unreachable))).toBe('400 CMN-101');
    const user = await userClient(sandbox, '102');
    expect(rejection(await user.post('/account/~/extension', body))).toBe('403 CMN-402');
  });

  test('CURRENT-7 exist in dialect current only', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const admin = await userClient(sandbox, 'administrator');
    expect((await admin.get('/account/~/call-queues')).status).toBe(404);
  });
});

describe('availability', () => {
  test('spec:OPERATION-8 to OPERATION-11 is one state, by queue and by member', async () => {
    await using sandbox = await open();
    const user = await userClient(sandbox, '102');
    const byQueue = `/account/~/call-queues/${support}/presence`;
    const byMember = '/account/~/extension/~/call-queue-presence';
    const off = await user.put(byMember, { records: [{ callQueue: { id: support }, acceptCalls: false }] });
    expect(off.body.records).toContainEqual(
      expect.objectContaining({
        callQueue: expect.objectContaining({ id: support, editableMemberStatus: true }) as unknown,
        acceptCalls: false,
      }),
    );
    const own = { member: expect.objectContaining({ id: '171857102' }) as unknown };
    const isOff = expect.objectContaining({ ...own, acceptCurrentQueueCalls: false }) as unknown;
    expect((await user.get(byQueue)).body.records).toContainEqual(isOff);
    const on = { records: [{ member: { id: '171857102' }, acceptCurrentQueueCalls: true }] };
    expect((await user.put(byQueue, on)).body.records).toContainEqual(
      expect.objectContaining({ ...own, acceptCurrentQueueCalls: true }),
    );
    const other = { records: [{ member: { id: '171857103' }, acceptCurrentQueueCalls: false }] };
    expect(rejection(await user.put(byQueue, other))).toBe('403 CMN-404');
    const stranger = { records: [{ member: { id: '171857106' }, acceptCurrentQueueCalls: false }] };
    expect(rejection(await user.put(byQueue, stranger))).toBe('400 CMN-102');
    const foreign = { records: [{ callQueue: { id: '1' }, acceptCalls: false }] };
    expect(rejection(await user.put(byMember, foreign))).toBe('400 CMN-102');
  });

  test('cannot be changed by members if the queue does not permit it', async () => {
    await using sandbox = await open();
    const admin = await userClient(sandbox, 'administrator');
    await admin.put(`/account/~/call-queues/${support}`, { editableMemberStatus: false });
    const user = await userClient(sandbox, '102');
    const body = { records: [{ callQueue: { id: support }, acceptCalls: false }] };
    expect(rejection(await user.put('/account/~/extension/~/call-queue-presence', body))).toBe('403 CMN-408');
    const asked = await user.get('/account/~/extension/~/call-queue-presence?editableMemberStatus=false');
    expect(asked.body.records.length).toBe(1);
    expect((await admin.put('/account/~/extension/171857102/call-queue-presence', body)).status).toBe(200);
  });

  test('spec:CURRENT-8 PUT replaces all queues of a user', async () => {
    await using sandbox = await open();
    const admin = await userClient(sandbox, 'administrator');
    const path = '/account/~/extension/171857102/call-queues';
    const queuesOfDana = async () =>
      (await admin.get('/account/~/call-queues?memberExtensionId=171857102')).body.records.map(
        ({ id }) => id,
      );
    expect(await queuesOfDana()).toEqual([support]);
    const records = [{ id: '171857203' }, { id: '171857202', name: 'ignored' }, { id: '171857203' }];
    const answer = await admin.put(path, { records });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        records: [
          { id: '171857202', name: 'Sales' },
          { id: '171857203', name: 'Billing' },
        ],
      },
    ]);
    expect(await queuesOfDana()).toEqual(['171857202', '171857203']);
    // Nothing changes if one of the queues is unknown or not a queue.
    for (const id of ['171857103', '1', '']) {
      expect(rejection(await admin.put(path, { records: [{ id: support }, { id }] }))).toBe('400 CMN-102');
    }
    expect(rejection(await admin.put('/account/~/extension/171857108/call-queues', { records }))).toBe(
      '400 CMN-101',
    );
    expect(await queuesOfDana()).toEqual(['171857202', '171857203']);
    expect((await admin.put(path, { records: [] })).body).toEqual({ records: [] });
    expect(await queuesOfDana()).toEqual([]);
  });

  test('spec:OPERATION-7 the feature says whether dndStatus has modes for queue calls', async () => {
    for (const newCallHandling of [false, true]) {
      await using sandbox = await startSandbox({
        listen: false,
        dialect: 'current',
        settings: { newCallHandling },
      });
      const user = await userClient(sandbox, '102');
      const path = '/account/~/extension/~/features?featureId=NewCallHandlingAndForwarding';
      const { body } = await user.get(path);
      expect(body.records).toMatchObject([
        { id: 'NewCallHandlingAndForwarding', available: newCallHandling },
      ]);
      const answer = await user.put('/account/~/extension/~/presence', {
        dndStatus: 'DoNotAcceptDepartmentCalls',
      });
      expect(answer.status).toBe(newCallHandling ? 400 : 200);
    }
  });

  test('spec:OPERATION-12 the presences of the account are one list, without hidden ones', async () => {
    await using sandbox = await open();
    const user = await userClient(sandbox, '102');
    const hidden = await userClient(sandbox, '103');
    await hidden.put('/account/~/extension/~/presence', { allowSeeMyPresence: false });
    const { body } = await user.get('/account/~/presence?perPage=1000&detailedTelephonyState=true');
    const ids = body.records.map(({ extension }) => (extension as { readonly id: number }).id);
    expect(ids).toContain(171857102);
    expect(ids).not.toContain(171857103);
    expect(body.records[0]).toHaveProperty('activeCalls');
    const first = await user.get('/account/~/presence?perPage=1&detailedTelephonyState=true&sipData=true');
    const next = new URL(first.body.navigation['nextPage']?.uri ?? '').searchParams;
    expect(Object.fromEntries(next)).toEqual({
      detailedTelephonyState: 'true',
      sipData: 'true',
      page: '2',
      perPage: '1',
    });
    const anonymous = await send(sandbox, 'GET', '/account/~/presence');
    expect(anonymous.status).toBe(401);
  });
});
