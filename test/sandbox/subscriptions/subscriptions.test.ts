import { createDecipheriv } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Notification } from '../../../src/contract/subscription.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { rejection, send, userClient } from '../request.ts';
import { good, startWebhook } from '../webhook.ts';

/**
 * Presence filters force encryption; these tests look into the notifications. The machine may be busy, so
 * webhooks have more than a second.
 */
const inClear = { webhookEncryption: 'never', webhookTimeoutMilliseconds: 60_000 } as const;

const messages = '/restapi/v1.0/account/~/extension/~/message-store';
const presence = '/restapi/v1.0/account/~/extension/~/presence';
const channel = { eventFilters: [messages], deliveryMode: { transportType: 'ChannelService' } };

function hook(address: string, eventFilters: readonly string[] = [messages], more: object = {}) {
  return { eventFilters, deliveryMode: { transportType: 'WebHook', address, ...more } };
}

describe('life', () => {
  test('spec:SUBSCRIPTION-1, SUBSCRIPTION-2, SUBSCRIPTION-4, SUBSCRIPTION-6, SUBSCRIPTION-10 to SUBSCRIPTION-16, SUBSCRIPTION-20, SUBSCRIPTION-21, SUBSCRIPTION-24, SUBSCRIPTION-26 create, read, list, renew, expire', async () => {
    await using webhook = await startWebhook();
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    const created = (await user.post('/subscription', hook(webhook.address))).body;
    expect(created).toMatchObject({
      eventFilters: [`/restapi/v1.0/account/${sandbox.ready.accountId}/extension/171857102/message-store`],
      deliveryMode: { transportType: 'WebHook', address: webhook.address, encryption: false },
      expiresIn: 604_800,
      expirationTime: '2026-01-12T09:00:00.000Z',
      status: 'Active',
    });
    const path = `/subscription/${created.id}`;
    expect((await user.get(path)).body).toEqual(created);
    expect((await user.get('/subscription')).body.records).toEqual([created]);
    await sandbox.clock.advance(1_000_000);
    expect((await user.post(`${path}/renew`)).body['expirationTime']).toBe('2026-01-12T09:16:40.000Z');
    await sandbox.clock.advance(604_799_999);
    // The token has ended by now; the subscription lives on without it.
    const later = await userClient(sandbox, '102');
    expect((await later.get(path)).status).toBe(200);
    expect(await sandbox.clock.advance(1)).toMatchObject([
      { kind: 'subscription.expire', subject: created.id },
    ]);
    expect(rejection(await later.get(path))).toBe('404 SUB-507');
    expect(rejection(await later.put(path))).toBe('404 SUB-507');
    expect((await later.get('/subscription')).body.records).toEqual([]);
  });

  test('spec:SUBSCRIPTION-21 what happened before the expiry is still delivered after it, what happens later is not', async () => {
    await using webhook = await startWebhook();
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    const { id } = (await user.post('/subscription', { ...hook(webhook.address), expiresIn: 600 })).body;
    const hosted = (await user.post('/subscription', { ...channel, expiresIn: 600 })).body;
    const { subscriberKey, address } = hosted['deliveryMode'] as Record<string, string>;
    const read = async () => {
      const reply = await send(
        sandbox,
        'GET',
        `/v2/subscribe/${subscriberKey}/${address}/0?tt=${'1'.padEnd(17, '0')}`,
      );
      return reply.body['m'] as readonly { readonly d: { readonly body: object } }[];
    };
    const text = () =>
      user.post('/account/~/extension/~/sms', {
        from: { phoneNumber: '+16505550112' },
        to: [{ phoneNumber: '+14155550100' }],
        text: 'hello',
      });
    await text();
    // One step past the expiry: the changes of status are due in between.
    const fired = await sandbox.clock.advance(700_000);
    expect(fired.map(({ kind }) => kind)).toContain('subscription.expire');
    await sandbox.settled();
    expect(rejection(await user.get(`/subscription/${id}`))).toBe('404 SUB-507');
    const notified = webhook.notifications().length;
    expect(notified).toBe(3);
    expect(await read()).toHaveLength(notified);
    await text();
    await sandbox.settled();
    expect(webhook.notifications()).toHaveLength(notified);
    for (const transport of ['WebHook', 'ChannelService']) {
      const own = sandbox.deliveries().filter((delivery) => delivery.transport === transport);
      expect(own.map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered']);
    }
  });

  test('spec:EVENT-28 a presence filter forces encryption of a webhook, too', async () => {
    await using webhook = await startWebhook();
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    const encrypted = async (filters: readonly string[]) => {
      const { body } = await user.post('/subscription', hook(webhook.address, filters));
      return { id: body.id, mode: body['deliveryMode'] as Record<string, unknown> };
    };
    expect((await encrypted([messages])).mode).toMatchObject({ encryption: false });
    const { mode } = await encrypted([presence]);
    expect(mode).toMatchObject({ encryption: true, encryptionAlgorithm: 'AES' });
    await user.put('/account/~/extension/~/presence', { userStatus: 'Busy' });
    await sandbox.settled();
    const sent = JSON.parse(webhook.received.at(-1)?.body ?? '') as string;
    const decipher = createDecipheriv(
      'aes-128-ecb',
      Buffer.from(mode['encryptionKey'] as string, 'base64'),
      null,
    );
    const text = decipher.update(sent, 'base64', 'utf8') + decipher.final('utf8');
    expect(JSON.parse(text)).toMatchObject({ body: { userStatus: 'Busy' } });
    const later = await encrypted([messages]);
    const changed = await user.put(`/subscription/${later.id}`, { eventFilters: [presence] });
    expect(changed.body['deliveryMode']).toMatchObject({ encryption: true });
    await sandbox.control('PATCH', '/settings', { webhookEncryption: 'never' });
    expect((await encrypted([presence])).mode).toMatchObject({ encryption: false });
  });

  test('spec:CURRENT-11 in dialect current, a webhook gets no encrypted events, even on request', async () => {
    await using webhook = await startWebhook();
    await using sandbox = await startSandbox({ listen: false, dialect: 'current' });
    const user = await userClient(sandbox, '102');
    const asked = hook(webhook.address, [presence], { encryption: true });
    const { body } = await user.post('/subscription', asked);
    expect(body['deliveryMode']).toEqual({
      transportType: 'WebHook',
      address: webhook.address,
      encryption: false,
    });
    await user.put('/account/~/extension/~/presence', { userStatus: 'Busy' });
    await sandbox.settled();
    expect(webhook.notifications()).toMatchObject([{ body: { userStatus: 'Busy' } }]);
  });

  test('spec:SUBSCRIPTION-3, SUBSCRIPTION-21, SUBSCRIPTION-7 PUT changes filters and life; an empty body only renews', async () => {
    await using webhook = await startWebhook();
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    const { id } = (await user.post('/subscription', { ...hook(webhook.address), expiresIn: 600 })).body;
    const changed = await user.put(`/subscription/${id}`, { eventFilters: [presence], expiresIn: 900 });
    expect(changed.body['eventFilters']).toEqual([expect.stringMatching(/\/presence$/)]);
    expect(changed.body['expiresIn']).toBe(900);
    await sandbox.clock.advance(300_000);
    const renewed = await user.put(`/subscription/${id}`);
    expect(renewed.body).toMatchObject({ expiresIn: 900, eventFilters: changed.body['eventFilters'] });
  });

  test('spec:SUBSCRIPTION-3 in dialect current a PUT with a body needs the filters', async () => {
    await using webhook = await startWebhook();
    await using sandbox = await startSandbox({ listen: false, dialect: 'current' });
    const user = await userClient(sandbox, '102');
    const { id } = (await user.post('/subscription', hook(webhook.address))).body;
    const path = `/subscription/${id}`;
    for (const body of [{ expiresIn: 900 }, {}, { deliveryMode: hook(webhook.address).deliveryMode }]) {
      expect(rejection(await user.put(path, body))).toBe('400 CMN-101');
    }
    expect((await user.put(path, { eventFilters: [messages], expiresIn: 900 })).body['expiresIn']).toBe(900);
    expect((await user.put(path)).status).toBe(200);
  });

  test('spec:SUBSCRIPTION-5, SUBSCRIPTION-22, SUBSCRIPTION-9 delete: 204, then unknown; another user or app never sees it', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    const { id } = (await user.post('/subscription', channel)).body;
    const others = [await userClient(sandbox, '103'), await userClient(sandbox, '102', 'sandbox-batch')];
    for (const other of others) expect(rejection(await other.get(`/subscription/${id}`))).toBe('404 CMN-102');
    expect((await user.delete(`/subscription/${id}`)).status).toBe(204);
    expect(rejection(await user.delete(`/subscription/${id}`))).toBe('404 CMN-102');
  });

  test('spec:SUBSCRIPTION-2, BASE-29, BASE-31 the list is one page, in dialect current without paging', async () => {
    await using spec = await startSandbox({ listen: false });
    const user = await userClient(spec, '102');
    for (let count = 0; count < 2; count += 1) await user.post('/subscription', channel);
    const { body } = await user.get('/subscription');
    const uri = `${spec.url}/restapi/v1.0/subscription?page=1&perPage=100`;
    expect(body).toMatchObject({
      uri,
      paging: { page: 1, perPage: 100, pageStart: 0, pageEnd: 1, totalPages: 1, totalElements: 2 },
      navigation: { firstPage: { uri }, lastPage: { uri } },
    });
    await using current = await startSandbox({ listen: false, dialect: 'current' });
    const list = (await (await userClient(current, '102')).get('/subscription')).body;
    expect(list).toEqual({ uri: `${current.url}/restapi/v1.0/subscription`, records: [] });
  });

  test('spec:SUBSCRIPTION-25, ERROR-38 twenty for a user and app', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    for (let count = 0; count < 20; count += 1)
      expect((await user.post('/subscription', channel)).status).toBe(200);
    expect(rejection(await user.post('/subscription', channel))).toBe('403 SUB-505');
    expect((await (await userClient(sandbox, '103')).post('/subscription', channel)).status).toBe(200);
  });

  test('spec:SUBSCRIPTION-17, SUBSCRIPTION-18, CHANNEL-1, SUBSCRIPTION-24 the hosted channel: address, keys, 900 s; presence forces encryption', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    const plain = (await user.post('/subscription', channel)).body;
    expect(plain).toMatchObject({
      expiresIn: 900,
      deliveryMode: {
        encryption: false,
        encryptionAlgorithm: 'None',
        subscriberKey: expect.any(String) as string,
      },
    });
    const secret = (await user.post('/subscription', { ...channel, eventFilters: [messages, presence] }))
      .body;
    const key = (secret['deliveryMode'] as { encryptionKey?: string }).encryptionKey ?? '';
    expect(secret).toMatchObject({ deliveryMode: { encryption: true, encryptionAlgorithm: 'AES' } });
    expect(Buffer.from(key, 'base64')).toHaveLength(16);
  });
});

describe('filters', () => {
  test('spec:EVENT-11, EVENT-12, EVENT-5 to EVENT-10, EVENT-15, EVENT-4, EVENT-13, EVENT-14, ERROR-39 unknown ones, wrong queries and reminders out of bounds', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    const create = async (filter: string) => {
      const answer = await user.post('/subscription', { ...channel, eventFilters: [filter] });
      return answer.status === 200 ? 200 : rejection(answer);
    };
    expect(await create('/restapi/v1.0/account/~/extension/~/weather')).toBe('400 SUB-508');
    expect(await create(`${messages}?type=Letter`)).toBe('400 SUB-508');
    expect(await create('/restapi/v1.0/account/1/extension/~/presence')).toBe('400 SUB-508');
    expect(await create('/restapi/v1.0/account/~/extension/999/presence')).toBe('400 SUB-508');
    expect(await create(`${presence}?detailedTelephonyState=true&sipData=true`)).toBe(200);
    expect(await create(`${presence}/line`)).toBe(200);
    expect(await create('/restapi/v1.0/account/~/extension')).toBe(200);
    expect(await create('/restapi/v1.0/subscription/~?threshold=60&interval=15')).toBe(200);
    expect(await create('/restapi/v1.0/subscription/~?threshold=451&interval=15')).toBe('400 SUB-516');
    expect(await create('/restapi/v1.0/subscription/~?threshold=60&interval=31')).toBe('400 SUB-516');
    expect(await create('/restapi/v1.0/subscription/~?threshold=60&interval=1')).toBe('400 SUB-516');
    for (const text of ['1e2', '60.5', '0x3c', '+60', '%2060'])
      expect(await create(`/restapi/v1.0/subscription/~?threshold=${text}&interval=15`)).toBe('400 SUB-516');
  });

  test("spec:SUBSCRIPTION-8 others' messages are for administrators; others' presence when it is shown", async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    const of = (resource: string) => ({
      ...channel,
      eventFilters: [`/restapi/v1.0/account/~/extension/171857103/${resource}`],
    });
    expect(rejection(await user.post('/subscription', of('message-store')))).toBe('403 SUB-403');
    expect((await user.post('/subscription', of('presence'))).status).toBe(200);
    await (
      await userClient(sandbox, '103')
    ).put('/account/~/extension/~/presence', { allowSeeMyPresence: false });
    expect(rejection(await user.post('/subscription', of('presence')))).toBe('403 SUB-402');
    expect(
      (await (await userClient(sandbox, 'administrator')).post('/subscription', of('message-store'))).status,
    ).toBe(200);
  });

  test('spec:PERMISSION-1 the app needs the permission of what it watches', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102', 'sandbox-reader');
    expect(rejection(await user.post('/subscription', channel))).toBe('403 CMN-401');
  });
});

describe('handshake', () => {
  const cases = [
    [
      'no token',
      'SUB-520',
      (_received, response) => response.setHeader('content-type', 'application/json').end(),
    ],
    ['another token', 'SUB-520', (_received, response) => response.setHeader('validation-token', 'x').end()],
    [
      'an error',
      'SUB-525',
      (received, response) => good(received, Object.assign(response, { statusCode: 500 })),
    ],
    [
      'a page',
      'SUB-525',
      ({ headers }, response) =>
        response
          .writeHead(200, { 'validation-token': headers['validation-token'], 'content-type': 'text/html' })
          .end(),
    ],
    [
      'too much',
      'SUB-525',
      ({ headers }, response) =>
        response.writeHead(200, { 'validation-token': headers['validation-token'] }).end('x'.repeat(1000)),
    ],
    ['nothing in time', 'SUB-521', () => undefined],
  ] as const satisfies readonly (readonly [string, string, Parameters<typeof startWebhook>[0]])[];

  test.each(cases)(
    'spec:BASE-25, WEBHOOK-1, WEBHOOK-2, ERROR-40, WEBHOOK-3, WEBHOOK-7 %s is rejected with %s',
    async (name, code, behaviour) => {
      await using webhook = await startWebhook(behaviour);
      await using sandbox = await startSandbox({
        listen: false,
        settings: { webhookTimeoutMilliseconds: name === 'nothing in time' ? 150 : 60_000 },
      });
      const user = await userClient(sandbox, '102');
      expect(rejection(await user.post('/subscription', hook(webhook.address)))).toBe(`400 ${code}`);
      expect(sandbox.subscriptions()).toEqual([]);
      expect(webhook.received).toMatchObject([{ body: '', headers: { 'content-length': '0' } }]);
    },
  );

  test('spec:WEBHOOK-1 nobody there, no address, http for an app in production', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    expect(rejection(await user.post('/subscription', hook('http://127.0.0.1:1/')))).toBe('400 SUB-521');
    expect(rejection(await user.post('/subscription', hook('not an address')))).toBe('400 CMN-101');
    const live = await userClient(sandbox, '102', 'sandbox-production');
    expect(rejection(await live.post('/subscription', hook('http://127.0.0.1:1/')))).toBe('400 SUB-523');
  });
});

describe('notifications', () => {
  test('spec:EVENT-1, EVENT-25, EVENT-5, WEBHOOK-4 a text is reported to both mailboxes', async () => {
    await using webhook = await startWebhook();
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    const admin = await userClient(sandbox, 'administrator');
    const { id } = (
      await user.post('/subscription', hook(webhook.address, [messages], { verificationToken: 'v-1' }))
    ).body;
    const inbound = '/restapi/v1.0/account/~/extension/171857103/message-store?direction=Inbound';
    await admin.post('/subscription', hook(webhook.address, [inbound]));
    await user.post('/account/~/extension/~/sms', {
      from: { phoneNumber: '+16505550112' },
      to: [{ phoneNumber: '+16505550113' }],
      text: 'hello',
    });
    await sandbox.settled();
    const notifications = webhook.notifications();
    expect(notifications.map((one) => Notification.safeParse(one).success)).toEqual([true, true]);
    const outgoing = notifications.find(({ subscriptionId }) => subscriptionId === id);
    expect(outgoing).toMatchObject({
      event: `/restapi/v1.0/account/${sandbox.ready.accountId}/extension/171857102/message-store`,
      timestamp: '2026-01-05T09:00:00.000Z',
      ownerId: '171857102',
      body: { extensionId: '171857102', changes: [{ type: 'SMS', newCount: 1, updatedCount: 0 }] },
    });
    const verified = webhook.received.filter(({ headers }) => headers['verification-token'] === 'v-1');
    expect(verified).toHaveLength(1);
    await sandbox.clock.advance(5000);
    await sandbox.settled();
    expect(webhook.notifications()).toHaveLength(4);
    expect(sandbox.deliveries().every(({ state, status }) => state === 'delivered' && status === 200)).toBe(
      true,
    );
  });

  test('spec:EVENT-26, EVENT-6, EVENT-7 of simple and detailed the detailed alone; nothing when nothing changed', async () => {
    await using webhook = await startWebhook();
    await using sandbox = await startSandbox({ listen: false, settings: inClear });
    const user = await userClient(sandbox, '102');
    await user.post(
      '/subscription',
      hook(webhook.address, [presence, `${presence}?detailedTelephonyState=true`]),
    );
    await user.put('/account/~/extension/~/presence', { userStatus: 'Busy' });
    await user.put('/account/~/extension/~/presence', { userStatus: 'Busy' });
    await sandbox.settled();
    expect(webhook.notifications().map(({ body }) => body)).toEqual([
      {
        extensionId: '171857102',
        presenceStatus: 'Busy',
        telephonyStatus: 'NoCall',
        userStatus: 'Busy',
        meetingStatus: 'Disconnected',
        dndStatus: 'TakeAllCalls',
        allowSeeMyPresence: true,
        ringOnMonitoredCall: false,
        pickUpCallsOnHold: false,
        sequence: 1,
        activeCalls: [],
        totalActiveCalls: 0,
      },
    ]);
  });

  test('spec:EVENT-27, EVENT-10, EVENT-17 reminders start at the threshold and come at the interval, until the renewal', async () => {
    await using webhook = await startWebhook();
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    const filter = '/restapi/v1.0/subscription/~?threshold=60&interval=25';
    const { id } = (await user.post('/subscription', { ...hook(webhook.address, [filter]), expiresIn: 600 }))
      .body;
    const bodies = async () => {
      await sandbox.settled();
      return webhook.notifications().map(({ body }) => body);
    };
    await sandbox.clock.advance(539_999);
    expect(await bodies()).toEqual([]);
    await sandbox.clock.advance(30_001);
    expect(await bodies()).toEqual([{ expiresIn: 60 }, { expiresIn: 35 }]);
    await user.put(`/subscription/${id}`);
    await sandbox.clock.advance(539_999);
    expect(await bodies()).toHaveLength(2);
    await sandbox.clock.advance(60_000);
    expect(await bodies()).toHaveLength(5);
    expect(webhook.notifications()[0]).toMatchObject({ event: filter });
  });

  test('a reminder that a shorter lifetime puts out of bounds is disabled', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    const filter = '/restapi/v1.0/subscription/~?threshold=60&interval=25';
    const { id } = (await user.post('/subscription', { ...channel, eventFilters: [messages, filter] })).body;
    const changed = (await user.put(`/subscription/${id}`, { expiresIn: 90 })).body;
    expect(changed['disabledFilters']).toMatchObject([{ filter, reason: 'SUB-516' }]);
    await sandbox.clock.advance(89_000);
    expect(sandbox.deliveries()).toEqual([]);
    await user.put(`/subscription/${id}`, { expiresIn: 120 });
    await sandbox.clock.advance(60_000);
    expect(sandbox.deliveries()).toHaveLength(1);
  });

  test('spec:EVENT-9 an assignment is reported to those who watch extensions', async () => {
    await using webhook = await startWebhook();
    await using sandbox = await startSandbox({ listen: false });
    const admin = await userClient(sandbox, 'administrator');
    await admin.post('/subscription', hook(webhook.address, ['/restapi/v1.0/account/~/extension']));
    const items = [{ departmentId: '171857203', addedExtensionIds: ['171857106'] }];
    await admin.post('/account/~/department/bulk-assign', { items });
    await sandbox.settled();
    const [notification] = webhook.notifications();
    expect(notification?.['body']).toEqual({
      extensions: ['171857203', '171857106'].map((extensionId) => ({
        extensionId,
        eventType: 'Update',
        hints: ['CallQueueMembersChange'],
      })),
    });
  });

  test('in order for each subscription; a failing webhook holds up nobody else', async () => {
    let reject = false;
    await using broken = await startWebhook((received, response) => {
      if (reject) response.writeHead(503).end();
      else good(received, response);
    });
    await using webhook = await startWebhook();
    await using sandbox = await startSandbox({ listen: false, settings: inClear });
    const user = await userClient(sandbox, '102');
    await user.post('/subscription', hook(broken.address, [presence]));
    await user.post('/subscription', hook(webhook.address, [presence]));
    reject = true;
    for (let count = 1; count <= 20; count += 1)
      await user.put('/account/~/extension/~/presence', { message: `${count}` });
    await sandbox.settled();
    const sequences = webhook.notifications().map(({ body }) => (body as { sequence: number }).sequence);
    expect(sequences).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(
      sandbox.deliveries().filter(({ state, status }) => state === 'failed' && status === 503),
    ).toHaveLength(20);
  });
});
