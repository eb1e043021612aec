import { describe, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { rejection, send, userClient } from '../request.ts';
import { startWebhook } from '../webhook.ts';
import { conditionLimit } from '../../support/limits.ts';

const account = '/restapi/v1.0/account/~';
const own = `${account}/extension/~`;
type User = Awaited<ReturnType<typeof userClient>>;

/** Subscribes on the hosted channel, in clear where the service allows it; answers what was published since. */
async function watch(sandbox: Sandbox, user: User, eventFilters: readonly string[]) {
  const { body, status } = await user.post('/subscription', {
    eventFilters,
    deliveryMode: { transportType: 'ChannelService' },
  });
  expect(status).toBe(200);
  const mode = body['deliveryMode'] as { address: string; subscriberKey: string; encryptionKey?: string };
  const path = `/v2/subscribe/${mode.subscriberKey}/${mode.address}/0`;
  const start = (await send(sandbox, 'GET', `${path}?tt=0`)).body['t'] as { t: string };
  return async () => {
    const { m } = (await send(sandbox, 'GET', `${path}?tt=${start.t}`)).body as unknown as {
      m: { d: unknown }[];
    };
    const { createDecipheriv } = await import('node:crypto');
    return m.map(({ d }) => {
      if (typeof d !== 'string') return (d as { body: unknown }).body;
      const decipher = createDecipheriv('aes-128-ecb', Buffer.from(mode.encryptionKey ?? '', 'base64'), null);
      return (JSON.parse(decipher.update(d, 'base64', 'utf8') + decipher.final('utf8')) as { body: unknown })
        .body;
    });
  };
}
const quick = {
  listen: false,
  settings: { channelHoldMilliseconds: 30, webhookTimeoutMilliseconds: conditionLimit },
} as const;

function text(from: string, to: string) {
  return { from: { phoneNumber: from }, to: [{ phoneNumber: to }], text: 'hello' };
}

describe('messages', () => {
  test('spec:EVENT-16, EVENT-23 instant: the whole inbound text, its ids as strings', async () => {
    await using sandbox = await startSandbox(quick);
    const [dana, jose] = [await userClient(sandbox, '102'), await userClient(sandbox, '103')];
    const events = await watch(sandbox, jose, [`${own}/message-store/instant?type=SMS`]);
    await jose.post('/account/~/extension/~/sms', text('+16505550113', '+16505550112'));
    await dana.post('/account/~/extension/~/sms', text('+16505550112', '+16505550113'));
    const bodies = await events();
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).toMatchObject({
      id: expect.stringMatching(/^\d+$/) as string,
      conversationId: expect.stringMatching(/^\d{19}$/) as string,
      subject: 'hello',
      direction: 'Inbound',
      type: 'SMS',
    });
  });

  test('spec:EVENT-5, EVENT-18 message-store filters by type and direction', async () => {
    await using sandbox = await startSandbox(quick);
    const dana = await userClient(sandbox, '102');
    const events = await watch(sandbox, dana, [
      `${own}/message-store?type=Fax`,
      `${own}/message-store?type=SMS&direction=Outbound`,
    ]);
    await dana.post('/account/~/extension/~/sms', text('+16505550112', '+16505550113'));
    expect(await events()).toMatchObject([
      { accountId: sandbox.ready.accountId, changes: [{ type: 'SMS', newCount: 1, updatedCount: 0 }] },
    ]);
  });

  test('spec:EVENT-16, EVENT-23 voicemail and fax have filters of their own', async () => {
    await using sandbox = await startSandbox(quick);
    const dana = await userClient(sandbox, '102');
    const filters = [
      `${own}/voicemail`,
      `${own}/fax?direction=Inbound`,
      `${own}/message-store?type=Voicemail`,
    ];
    const { body } = await dana.post('/subscription', {
      eventFilters: filters,
      deliveryMode: { transportType: 'ChannelService' },
    });
    expect(body).toMatchObject({
      eventFilters: filters.map((filter) =>
        filter.replace('account/~/extension/~', `account/${sandbox.ready.accountId}/extension/171857102`),
      ),
    });
  });
});

describe('presence', () => {
  test('spec:EVENT-8, EVENT-20 line presence names the extension whose line changed', async () => {
    await using sandbox = await startSandbox(quick);
    const [dana, jose] = [await userClient(sandbox, '102'), await userClient(sandbox, '103')];
    const events = await watch(sandbox, dana, [`${own}/presence/line`]);
    await jose.put('/account/~/extension/~/presence', { userStatus: 'Busy' });
    expect(await events()).toEqual([{ extension: [{ id: '171857103' }], sequence: 1 }]);
  });

  test('spec:EVENT-16, EVENT-24 presence/line/presence gives the presence of the agents of the same queues', async () => {
    await using sandbox = await startSandbox(quick);
    const [dana, jose, mei] = [
      await userClient(sandbox, '102'),
      await userClient(sandbox, '103'),
      await userClient(sandbox, '106'),
    ];
    const events = await watch(sandbox, dana, [`${own}/presence/line/presence`]);
    for (const user of [mei, jose]) await user.put('/account/~/extension/~/presence', { userStatus: 'Busy' });
    expect(await events()).toMatchObject([{ extensionId: '171857103', userStatus: 'Busy' }]);
  });

  test('spec:EVENT-16, EVENT-21 presence/dnd and call-queues/{id}/presence tell the queue-agent mode', async () => {
    await using sandbox = await startSandbox(quick);
    const dana = await userClient(sandbox, '102');
    const events = await watch(sandbox, dana, [
      `${own}/presence/dnd`,
      `${account}/call-queues/171857201/presence`,
    ]);
    const set = (dndStatus: string) => dana.put('/account/~/extension/~/presence', { dndStatus });
    await set('TakeDepartmentCallsOnly');
    await set('DoNotAcceptDepartmentCalls');
    expect(await events()).toEqual([
      { extensionId: '171857102', dndStatus: 'TakeDepartmentCallsOnly' },
      { extensionId: '171857102', dndStatus: 'DoNotAcceptDepartmentCalls' },
      { member: { id: '171857102' }, acceptCurrentQueueCalls: false },
    ]);
  });

  test('spec:EVENT-21 the queue-agent mode does not change the availability of a member who left the queue', async () => {
    await using webhook = await startWebhook();
    await using sandbox = await startSandbox({ ...quick, dialect: 'current' });
    const dana = await userClient(sandbox, '102');
    await dana.post('/subscription', {
      eventFilters: [`${account}/call-queues/171857201/presence`],
      deliveryMode: { transportType: 'WebHook', address: webhook.address },
    });
    const accept = (acceptCalls: boolean) =>
      dana.put('/account/~/extension/~/call-queue-presence', {
        records: [{ callQueue: { id: '171857201' }, acceptCalls }],
      });
    await accept(false);
    for (const dndStatus of ['DoNotAcceptAnyCalls', 'TakeAllCalls'])
      await dana.put('/account/~/extension/~/presence', { dndStatus });
    await accept(true);
    await sandbox.settled();
    expect(webhook.notifications().map(({ body }) => body)).toEqual([
      { member: { id: '171857102' }, acceptCurrentQueueCalls: false },
      { member: { id: '171857102' }, acceptCurrentQueueCalls: true },
    ]);
  });

  test('spec:EVENT-16, EVENT-24 account presence: everyone whose presence may be seen', async () => {
    await using sandbox = await startSandbox(quick);
    const [dana, jose, mei] = [
      await userClient(sandbox, '102'),
      await userClient(sandbox, '103'),
      await userClient(sandbox, '106'),
    ];
    const events = await watch(sandbox, dana, [`${account}/presence`]);
    await jose.put('/account/~/extension/~/presence', { allowSeeMyPresence: false, userStatus: 'Busy' });
    await mei.put('/account/~/extension/~/presence', { userStatus: 'Busy' });
    expect(await events()).toMatchObject([{ extensionId: '171857106' }]);
  });

  test('a presence that is hidden later is no longer reported; the renewal disables the filter', async () => {
    await using sandbox = await startSandbox(quick);
    const [dana, jose] = [await userClient(sandbox, '102'), await userClient(sandbox, '103')];
    const filter = `/restapi/v1.0/account/${sandbox.ready.accountId}/extension/171857103/presence`;
    const events = await watch(sandbox, dana, [filter, `${own}/presence`]);
    await jose.put('/account/~/extension/~/presence', { allowSeeMyPresence: false });
    expect(await events()).toEqual([]);
    const { id } = (await dana.get('/subscription')).body.records[0] as { id: string };
    const renewed = (await dana.post(`/subscription/${id}/renew`)).body;
    expect(renewed['disabledFilters']).toMatchObject([{ filter, reason: 'SUB-402' }]);
    await jose.put('/account/~/extension/~/presence', { allowSeeMyPresence: true });
    expect((await dana.put(`/subscription/${id}`)).body).not.toHaveProperty('disabledFilters');
  });
});

test('spec:EVENT-22 one extension alone: its own changes', async () => {
  await using sandbox = await startSandbox(quick);
  const admin = await userClient(sandbox, 'administrator');
  const events = await watch(sandbox, admin, [`${account}/extension/171857106`]);
  const items = [{ departmentId: '171857203', addedExtensionIds: ['171857106'] }];
  await admin.post('/account/~/department/bulk-assign', { items });
  expect(await events()).toEqual([
    { extensionId: '171857106', eventType: 'Update', hints: ['CallQueueMembersChange'] },
  ]);
});

test('spec:ERROR-37, SUBSCRIPTION-27 each kind of someone else’s data has its own rejection', async () => {
  await using sandbox = await startSandbox(quick);
  const [dana, jose] = [await userClient(sandbox, '102'), await userClient(sandbox, '103')];
  await jose.put('/account/~/extension/~/presence', { allowSeeMyPresence: false });
  const resources = [
    'presence',
    'message-store',
    'message-store/instant',
    'voicemail',
    'fax',
    'presence/line',
    'presence/dnd',
  ];
  const answers = await Promise.all(
    resources.map((resource) =>
      dana.post('/subscription', {
        eventFilters: [`${account}/extension/171857103/${resource}`],
        deliveryMode: { transportType: 'ChannelService' },
      }),
    ),
  );
  expect(answers.map(rejection)).toEqual(
    ['402', '403', '404', '405', '406', '407', '408'].map((code) => `403 SUB-${code}`),
  );
});

test('a queue filter needs a queue; unknown queries are rejected', async () => {
  await using sandbox = await startSandbox(quick);
  const dana = await userClient(sandbox, '102');
  const create = async (filter: string) =>
    rejection(
      await dana.post('/subscription', {
        eventFilters: [filter],
        deliveryMode: { transportType: 'ChannelService' },
      }),
    );
  expect(await create(`${account}/call-queues/171857102/presence`)).toBe('400 SUB-508');
  expect(await create(`${account}/call-queues/~/presence`)).toBe('400 SUB-508');
  expect(await create(`${own}/voicemail?type=Fax`)).toBe('400 SUB-508');
  expect(await create(`${account}/presence/line`)).toBe('400 SUB-508');
});

test('spec:SUBSCRIPTION-3 PUT ignores all but filters and life: the address cannot change', async () => {
  await using sandbox = await startSandbox(quick);
  const dana = await userClient(sandbox, '102');
  const { body } = await dana.post('/subscription', {
    eventFilters: [`${own}/message-store`],
    deliveryMode: { transportType: 'ChannelService' },
  });
  const changed = await dana.put(`/subscription/${body.id}`, {
    deliveryMode: { transportType: 'WebHook', address: 'http://127.0.0.1:1/' },
    status: 'Suspended',
    expiresIn: 9_999_999,
  });
  expect(changed.body).toEqual({
    ...body,
    expiresIn: 604_800,
    expirationTime: '2026-01-12T09:00:00.000Z',
  });
});
