import { describe, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { requestToken, send, userClient } from './request.ts';
import { startWebhook } from './webhook.ts';
import { conditionLimit } from '../support/limits.ts';

const extension = '/account/~/extension/~';
const outside = '+14155550199';

function quiet(settings: Parameters<typeof startSandbox>[0] = {}): Promise<Sandbox> {
  return startSandbox({ listen: false, ...settings });
}
const uriOf = (record: Readonly<Record<string, unknown>> | undefined, member = 'uri') =>
  String(record?.[member]).replace(/^https?:\/\/[^/]+/, '');

const attachmentsOf = (message: Readonly<Record<string, unknown>> | undefined) =>
  (message?.['attachments'] ?? []) as readonly Readonly<Record<string, unknown>>[];

describe('what the service does', () => {
  test('spec:BASE-1 queues and their agents are listed, changed in bulk, and the queue-agent mode is read and set', async () => {
    await using sandbox = await quiet();
    const admin = await userClient(sandbox, 'administrator');
    const queues = (await admin.get('/account/~/extension?type=Department')).body.records;
    const [queue] = queues;
    const members = async () =>
      (await admin.get(`/account/~/department/${String(queue?.['id'])}/members`)).body.records.map(({ id }) =>
        String(id),
      );
    const before = await members();
    const [leaving] = before;
    const items = [{ departmentId: String(queue?.['id']), removedExtensionIds: [leaving] }];
    expect((await admin.post('/account/~/department/bulk-assign', { items })).status).toBe(204);
    expect(await members()).toEqual(before.slice(1));
    const agent = `/account/~/extension/${before[1]}/presence`;
    await admin.put(agent, { dndStatus: 'TakeDepartmentCallsOnly' });
    expect((await admin.get(agent)).body['dndStatus']).toBe('TakeDepartmentCallsOnly');
  });

  test('spec:BASE-2 the own number rings first, then the called one; the call is polled and cancelled', async () => {
    await using sandbox = await quiet();
    const user = await userClient(sandbox, '102');
    const { body } = await user.post(`${extension}/ringout`, { to: { phoneNumber: outside } });
    const path = `${extension}/ringout/${body.id}`;
    const legs = async () => {
      const { callerStatus, calleeStatus } = (await user.get(path)).body['status'] as Record<string, string>;
      return `${callerStatus} ${calleeStatus}`;
    };
    expect(await legs()).toBe('InProgress InProgress');
    await sandbox.clock.advance(2000);
    expect(await legs()).toBe('Success InProgress');
    expect((await user.delete(path)).status).toBe(204);
    expect(await legs()).toBe('Finished Rejected');
  });

  test('spec:BASE-3 messages of four kinds are in one mailbox', async () => {
    await using sandbox = await quiet();
    const user = await userClient(sandbox, '102');
    const from = { phoneNumber: '+16505550112' };
    await user.post(`${extension}/sms`, { from, to: [{ phoneNumber: outside }], text: 'hello' });
    await user.post(`${extension}/company-pager`, {
      from: { extensionNumber: '102' },
      to: [{ extensionNumber: '103' }],
      text: 'page',
    });
    await sandbox.control('POST', '/triggers/fax', { to: '102' });
    await sandbox.control('POST', '/triggers/voicemail', { to: '102' });
    const { records } = (await user.get(`${extension}/message-store`)).body;
    expect(new Set(records.map(({ type }) => type))).toEqual(new Set(['Fax', 'Pager', 'SMS', 'VoiceMail']));
    expect(records).toHaveLength(4);
  });

  test('spec:BASE-4 a mailbox is synchronized: whole, then what is new', async () => {
    await using sandbox = await quiet();
    const user = await userClient(sandbox, '102');
    await sandbox.control('POST', '/triggers/sms', { to: '102', text: 'one' });
    // Beyond the overlap of two syncs.
    await sandbox.clock.advance(6000);
    const full = (await user.get(`${extension}/message-sync?syncType=FSync`)).body;
    expect(full.records).toMatchObject([{ subject: 'one' }]);
    const { syncToken } = full['syncInfo'] as { syncToken: string };
    await sandbox.clock.advance(60_000);
    await sandbox.control('POST', '/triggers/sms', { to: '102', text: 'two' });
    const next = await user.get(`${extension}/message-sync?syncType=ISync&syncToken=${syncToken}`);
    expect(next.body.records).toMatchObject([{ subject: 'two' }]);
  });

  test('spec:BASE-5, BASE-6 call log of both levels, recordings and their content in ranges, active calls', async () => {
    await using sandbox = await quiet();
    const admin = await userClient(sandbox, 'administrator');
    await admin.post(`${extension}/ringout`, { to: { phoneNumber: '+12025550110' } });
    await sandbox.clock.advance(10_000);
    const active = (await admin.get(`${extension}/active-calls`)).body.records;
    expect(active).toMatchObject([{ result: 'In Progress' }]);
    await sandbox.clock.advance(120_000);
    const [own] = (await admin.get(`${extension}/call-log`)).body.records;
    const [company] = (await admin.get('/account/~/call-log')).body.records;
    expect(own?.['sessionId']).toBe(company?.['sessionId']);
    const recording = own?.['recording'] as Record<string, unknown>;
    expect((await admin.get(uriOf(recording))).body).toMatchObject({ id: recording['id'] });
    const part = await send(sandbox, 'GET', uriOf(recording, 'contentUri'), {
      token: admin.token,
      headers: { range: 'bytes=0-3' },
    });
    expect([part.status, part.body['text']]).toEqual([206, 'RIFF']);
  });

  test('spec:BASE-7, EVENT-2, EVENT-3 events come through subscriptions of both transports, in one envelope', async () => {
    await using webhook = await startWebhook();
    await using sandbox = await quiet({
      settings: { channelHoldMilliseconds: 40, webhookTimeoutMilliseconds: conditionLimit },
    });
    const user = await userClient(sandbox, '102');
    const eventFilters = [`/restapi/v1.0${extension}/message-store`];
    await user.post('/subscription', {
      eventFilters,
      deliveryMode: { transportType: 'WebHook', address: webhook.address },
    });
    const channel = await user.post('/subscription', {
      eventFilters,
      deliveryMode: { transportType: 'ChannelService' },
    });
    const { address, subscriberKey } = channel.body['deliveryMode'] as Record<string, string>;
    const read = async (tt: string) =>
      (await send(sandbox, 'GET', `/v2/subscribe/${subscriberKey}/${address}/0?tt=${tt}`)).body;
    const { t } = (await read('0'))['t'] as { t: string };
    await sandbox.control('POST', '/triggers/sms', { to: '102' });
    await sandbox.settled();
    const [published] = (await read(t))['m'] as readonly { readonly d: object }[];
    const [posted] = webhook.notifications();
    for (const notification of [published?.d, posted]) {
      expect(notification).toMatchObject({
        uuid: expect.stringMatching(/./) as string,
        event: expect.stringMatching(/message-store$/) as string,
        timestamp: expect.stringMatching(/^\d{4}-/) as string,
        body: { changes: [{ type: 'SMS', newCount: 1 }] },
      });
    }
  });

  test('spec:BASE-8 a chat webhook makes a post of what is posted to it', async () => {
    await using sandbox = await quiet();
    const admin = await userClient(sandbox, 'administrator');
    const groupId = sandbox.ready.groups[0]?.id ?? '';
    const { body } = await admin.post(`/chat/groups/${groupId}/webhooks`);
    const posted = await send(sandbox, 'POST', uriOf(body), { json: { title: 'Build', body: 'green' } });
    expect(posted.status).toBe(200);
    expect(sandbox.posts(groupId)).toMatchObject([{ content: expect.stringContaining('green') as string }]);
  });

  test('spec:BASE-9 a token is obtained, used and revoked', async () => {
    await using sandbox = await quiet();
    const { token } = await userClient(sandbox, '102');
    const ask = async () => (await send(sandbox, 'GET', `${extension}/presence`, { token })).status;
    expect(await ask()).toBe(200);
    const { clientId, clientSecret } = sandbox.ready;
    await send(sandbox, 'POST', '/restapi/oauth/revoke', {
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      },
      body: `token=${token}`,
    });
    expect(await ask()).toBe(401);
  });
});

describe('conventions', () => {
  test('spec:BASE-10, BASE-11, BASE-28, BASE-15, MEDIA-4 paths below /restapi, ~ is the caller, lists have one envelope, and every address that is given leads there', async () => {
    await using sandbox = await quiet();
    const user = await userClient(sandbox, '102');
    const { extensionId } = sandbox.ready.users.find((one) => one.extension === '102') ?? {};
    const byTilde = (await user.get(`${extension}/presence`)).body;
    const byId = await user.get(`/account/${sandbox.ready.accountId}/extension/${extensionId}/presence`);
    expect(byId.body).toEqual(byTilde);
    expect((await send(sandbox, 'GET', '/v1.0/account/~/extension', { token: user.token })).status).toBe(404);
    await sandbox.control('POST', '/triggers/voicemail', { to: '102' });
    for (const list of ['message-store', 'phone-number', 'forwarding-number', 'call-log', 'active-calls']) {
      const { body } = await user.get(`${extension}/${list}`);
      expect(Object.keys(body)).toEqual(expect.arrayContaining(['uri', 'records']));
      expect(body.uri).toMatch(new RegExp(`^${sandbox.url}/restapi/v1\\.0/`));
    }
    const [message] = (await user.get(`${extension}/message-store`)).body.records;
    const attachment = attachmentsOf(message)[0];
    expect(uriOf(attachment)).toMatch(/\/content\/\d+$/);
    expect((await user.get(uriOf(attachment))).status).toBe(200);
    expect((await user.get(uriOf(message))).status).toBe(200);
  });

  test('spec:BASE-21 a token request is a form: another media type is rejected, and its body is not logged', async () => {
    await using sandbox = await quiet();
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
      const rejected = await send(sandbox, 'POST', '/restapi/oauth/token', {
        headers: { 'content-type': type },
        body: JSON.stringify({ grant_type: 'password', password: 'a secret' }),
      });
      expect([rejected.status, rejected.body['error']]).toEqual([415, 'invalid_request']);
      const [{ id }] = (await sandbox.control('GET', '/requests?limit=1'))['records'] as [{ id: number }];
      await expect(sandbox.control('GET', `/requests/${id}/body`)).rejects.toMatchObject({ status: 404 });
    }
    expect((await requestToken(sandbox, { grant_type: 'password' })).status).toBe(400);
  });

  test('spec:BASE-22 JSON comes whatever Accept asks for', async () => {
    await using sandbox = await quiet();
    const { token } = await userClient(sandbox, '102');
    for (const accept of ['application/json', '*/*', 'text/html', 'image/png;q=0']) {
      const reply = await send(sandbox, 'GET', '/account/~/extension?type=Department', {
        token,
        headers: { accept },
      });
      expect([accept, reply.status, reply.headers.get('content-type')]).toEqual([
        accept,
        200,
        'application/json;charset=UTF-8',
      ]);
    }
  });
});
