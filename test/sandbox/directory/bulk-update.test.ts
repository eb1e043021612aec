import { expect, test } from 'vitest';
import { CompleteExtensionBulkUpdateTask } from '../../../src/contract/extension-bulk-update.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { rejection, userClient } from '../request.ts';

const path = '/account/~/extension-bulk-update';

/** An administrator, and the results of a task with these records. */
async function office() {
  const sandbox = await startSandbox({ listen: false, dialect: 'current' });
  const admin = await userClient(sandbox, 'administrator');
  const run = async (records: readonly object[]) => {
    const { body } = await admin.post(path, { records });
    const task = CompleteExtensionBulkUpdateTask.parse(body);
    await sandbox.clock.advance(2000);
    const done = await admin.get(`${path}/tasks/${task.id}`);
    return CompleteExtensionBulkUpdateTask.parse(done.body).result?.affectedItems?.result;
  };
  return { sandbox, admin, run, [Symbol.asyncDispose]: () => sandbox.close() };
}

test('spec:EXT-18, EXT-19 a task is accepted, in progress and completed, and changes extensions', async () => {
  await using desk = await office();
  const { sandbox, admin } = desk;
  const records = [{ id: '171857102', contact: { department: 'Night' }, site: { id: '171857901' } }];
  const { status, body } = await admin.post(path, { records });
  const task = CompleteExtensionBulkUpdateTask.parse(body);
  expect([status, task.status, task.result]).toEqual([200, 'Accepted', undefined]);
  await sandbox.clock.advance(600);
  expect((await admin.get(`${path}/tasks/${task.id}`)).body['status']).toBe('InProgress');
  await sandbox.clock.advance(1000);
  expect((await admin.get(`${path}/tasks/${task.id}`)).body).toMatchObject({
    status: 'Completed',
    result: { affectedItems: { result: [{ extensionId: '171857102', status: 'Success' }] } },
  });
});

test('spec:EXT-16, EXT-17 contact and site are members of the extension', async () => {
  await using desk = await office();
  const contact = {
    firstName: 'Dana',
    lastName: 'Oki',
    company: 'Ex',
    jobTitle: 'Lead',
    mobilePhone: '+1415',
  };
  await desk.run([{ id: '171857102', contact, site: { id: '171857901' } }]);
  const { body } = await desk.admin.get('/account/~/extension/171857102');
  expect(body).toMatchObject({
    name: 'Dana Oki',
    contact: { ...contact, email: 'dana.okafor@example.com' },
    site: { id: '171857901', name: 'Berlin' },
  });
  await desk.run([{ id: '171857102', contact: { company: '' } }]);
  const { body: after } = await desk.admin.get('/account/~/extension/171857102');
  expect(after['contact']).not.toHaveProperty('company');
});

test('spec:EXT-20 a failed item has the reason, and does not affect the others', async () => {
  await using desk = await office();
  const results = await desk.run([
    { id: '171857102', extensionNumber: '103' },
    { id: '1', status: 'Enabled' },
    { id: '171857103', contact: { email: 'dana.okafor@example.com' } },
    { id: '171857104', site: { id: 'nowhere' } },
    { id: '171857100', status: 'Disabled' },
    { id: '171857105', status: 'Frozen' },
  ]);
  expect(
    results?.map(({ extensionId, status, errors }) => [extensionId, status, errors?.[0]?.errorCode]),
  ).toEqual([
    ['171857102', 'Fail', 'CMN-101'],
    ['1', 'Fail', 'CMN-102'],
    ['171857103', 'Fail', 'CMN-101'],
    ['171857104', 'Fail', 'CMN-102'],
    ['171857100', 'Fail', 'CMN-101'],
    ['171857105', 'Success', undefined],
  ]);
});

test('spec:EXT-14 PUT changes the members in the request', async () => {
  await using desk = await office();
  const { admin } = desk;
  const own = '/account/~/extension/171857102';
  const before = (await admin.get(own)).body;
  const contact = { jobTitle: 'Lead', email: 'dana@example.com' };
  const { status, body } = await admin.put(own, { contact, site: { id: '171857901' } });
  expect([status, body]).toEqual([
    200,
    {
      ...before,
      contact: { ...(before['contact'] as object), ...contact },
      site: { id: '171857901', name: 'Berlin' },
    },
  ]);
  const statusInfo = { comment: 'Left the company', reason: 'Involuntarily' };
  expect((await admin.put(own, { status: 'Disabled', statusInfo })).body).toMatchObject({
    status: 'Disabled',
    statusInfo,
  });
  expect((await admin.get(own)).body['status']).toBe('Disabled');
  const reason = { statusInfo: { reason: 'Voluntarily' } };
  expect((await admin.put(own, reason)).body).toMatchObject({
    statusInfo: { ...statusInfo, ...reason.statusInfo },
  });
  expect((await admin.put(own, { status: 'Enabled' })).body).not.toHaveProperty('statusInfo');
  const other = { statusInfo: { reason: 'Retired' } };
  for (const wrong of [
    { status: 'Unassigned' },
    other,
    { extensionNumber: '103' },
    { contact: { email: 'x' } },
  ]) {
    expect(rejection(await admin.put(own, wrong))).toBe('400 CMN-101');
  }
  expect(rejection(await admin.put(own))).toBe('400 CMN-104');
});
