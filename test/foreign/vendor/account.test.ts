import type { SDK } from '@ringcentral/sdk';
import { beforeAll, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { json, realSandbox, records, signedIn, type Json } from './signed-in.ts';

const account = '/restapi/v1.0/account/~';
const me = `${account}/extension/~`;

let sdk: SDK;
beforeAll(async () => {
  const sandbox = await realSandbox({ dialect: 'current', settings: { grants: 'all' } });
  sdk = await signedIn(sandbox);
  return async () => {
    sdk.platform().removeAllListeners();
    await sandbox.close();
  };
});

async function idOf(number: string): Promise<string> {
  const list = await records(sdk.get(`${account}/extension`, { perPage: 1000 }));
  return String(list.find((row) => row['extensionNumber'] === number)?.['id']);
}

it('reads and changes a call queue, and its members', async () => {
  const queues = await records(sdk.get(`${account}/call-queues`));
  const support = String(queues.find((row) => row['extensionNumber'] === '201')?.['id']);
  const path = `${account}/call-queues/${support}`;
  const agent = await idOf('106');
  expect(await json(sdk.put(path, { serviceLevelSettings: { slaGoal: 75 } }))).toMatchObject({
    serviceLevelSettings: { slaGoal: 75 },
  });
  expect(await json(sdk.get(path))).toMatchObject({ id: support, extensionNumber: '201' });
  const members = async () =>
    (await records(sdk.get(`${path}/members`, { perPage: 1000 }))).map((row) => String(row['id']));
  const added = await sdk.post(`${path}/bulk-assign`, { addedExtensionIds: [agent] });
  expect([added.status, await members()]).toEqual([204, expect.arrayContaining([agent])]);
  const ofAgent = await records(sdk.get(`${account}/call-queues`, { memberExtensionId: agent }));
  expect(ofAgent.map((row) => String(row['id']))).toContain(support);
  await sdk.post(`${path}/bulk-assign`, { removedExtensionIds: [agent] });
  expect(await members()).not.toContain(agent);
});

it('reads and changes business hours', async () => {
  const schedule = { weeklyRanges: { monday: [{ from: '08:00', to: '16:00' }] } };
  for (const path of [`${account}/business-hours`, `${me}/business-hours`]) {
    expect(await json(sdk.put(path, { schedule }))).toHaveProperty('schedule.weeklyRanges.monday');
    expect(await json(sdk.get(path))).toMatchObject({ schedule });
  }
});

it('creates, changes and deletes an answering rule', async () => {
  const path = `${me}/answering-rule`;
  const rule = { type: 'Custom', name: 'Night', enabled: true, callers: [{ callerId: '+16505550199' }] };
  const { id } = await json(sdk.post(path, { ...rule, callHandlingAction: 'TakeMessagesOnly' }));
  expect(await json(sdk.get(`${path}/${String(id)}`))).toMatchObject({ name: 'Night', enabled: true });
  expect(await json(sdk.put(`${path}/${String(id)}`, { enabled: false }))).toMatchObject({ enabled: false });
  const names = (await records(sdk.get(path, { view: 'Detailed' }))).map((row) => row['name']);
  expect(names).toContain('Night');
  expect((await sdk.delete(`${path}/${String(id)}`)).status).toBe(204);
});

it('changes several people by a task, and finds the change in the audit trail', async () => {
  const dana = await idOf('102');
  const task = await json(
    sdk.post(`${account}/extension-bulk-update`, {
      records: [{ id: dana, contact: { department: 'Day shift' } }],
    }),
  );
  const path = `${account}/extension-bulk-update/tasks/${String(task['id'])}`;
  await eventually(async () => expect(await json(sdk.get(path))).toMatchObject({ status: 'Completed' }));
  expect(await json(sdk.get(`${account}/extension/${dana}`))).toMatchObject({
    contact: { department: 'Day shift' },
  });
  const found = await records(sdk.post(`${account}/audit-trail/search`, { targetIds: [dana] }));
  expect(found).toEqual([
    expect.objectContaining({ target: expect.objectContaining({ objectId: dana }) as Json }),
  ]);
});

it('sends a batch of high-volume texts, and reads its messages', async () => {
  const numbers = await records(sdk.get(`${me}/phone-number`));
  const sender = numbers.find((row) => (row['features'] as readonly string[]).includes('A2PSmsSender'));
  const batch = await json(
    sdk.post(`${account}/a2p-sms/batches`, {
      from: String(sender?.['phoneNumber']),
      text: 'Your order is ready.',
      messages: [{ to: ['+14155550100'] }, { to: ['+14155550101'] }],
    }),
  );
  expect(batch).toMatchObject({ batchSize: 2 });
  const path = `${account}/a2p-sms/batches/${String(batch['id'])}`;
  await eventually(async () => expect(await json(sdk.get(path))).toMatchObject({ status: 'Completed' }));
  const sent = await records(sdk.get(`${account}/a2p-sms/messages`, { batchId: String(batch['id']) }));
  expect(sent).toHaveLength(2);
  const batches = await records(sdk.get(`${account}/a2p-sms/batches`));
  expect(batches.map((row) => row['id'])).toContain(batch['id']);
});

it('creates a queue, and reads the features of an extension', async () => {
  const contact = { firstName: 'Night desk', email: 'night.desk@example.com' };
  const created = await json(
    sdk.post(`${account}/extension`, { type: 'Department', extensionNumber: '290', contact }),
  );
  expect(created).toMatchObject({ extensionNumber: '290' });
  const found = await records(sdk.get(`${account}/call-queues`));
  expect(found.map((row) => row['extensionNumber'])).toContain('290');
  expect(await records(sdk.get(`${me}/features`))).toContainEqual(
    expect.objectContaining({ id: 'NewCallHandlingAndForwarding', available: false }),
  );
});

it('reads the presence of the account, and changes the availability of an agent in a queue', async () => {
  const [agent, queue] = [await idOf('102'), await idOf('201')];
  const present = await records(sdk.get(`${account}/presence`, { perPage: 1000 }));
  expect(present.map((row) => String((row['extension'] as Json)['id']))).toContain(agent);
  const ofQueue = `${account}/call-queues/${queue}/presence`;
  const ofAgent = `${account}/extension/${agent}/call-queue-presence`;
  const states = async (): Promise<readonly unknown[]> => {
    const members = await records(sdk.get(ofQueue));
    const queues = await records(sdk.get(ofAgent));
    return [
      members.find(({ member }) => (member as Json)['id'] === agent)?.['acceptCurrentQueueCalls'],
      queues.find(({ callQueue }) => (callQueue as Json)['id'] === queue)?.['acceptCalls'],
    ];
  };
  await sdk.put(ofQueue, { records: [{ member: { id: agent }, acceptCurrentQueueCalls: false }] });
  expect(await states()).toEqual([false, false]);
  await sdk.put(ofAgent, { records: [{ callQueue: { id: queue }, acceptCalls: true }] });
  expect(await states()).toEqual([true, true]);
});
