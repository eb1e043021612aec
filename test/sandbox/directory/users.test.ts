import { describe, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { rejection, requestToken, send, userClient } from '../request.ts';
import { startWebhook } from '../webhook.ts';
import { conditionLimit } from '../../support/limits.ts';

const from = { extensionNumber: '100' };
const inClear = { webhookEncryption: 'never', webhookTimeoutMilliseconds: conditionLimit } as const;
const user = (extension: string) => `/users/${extension}`;

/** The administrator, who watches presence, directory and the queue of agent 102. */
async function watched(sandbox: Sandbox) {
  const webhook = await startWebhook();
  const administrator = await userClient(sandbox, 'administrator');
  const created = await administrator.post('/subscription', {
    eventFilters: [
      '/restapi/v1.0/account/~/extension',
      '/restapi/v1.0/account/~/extension/171857102/presence',
      '/restapi/v1.0/account/~/extension/171857102/presence/dnd',
      '/restapi/v1.0/account/~/call-queues/171857201/presence',
    ],
    deliveryMode: { transportType: 'WebHook', address: webhook.address },
  });
  expect(created.status).toBe(200);
  const bodies = async (): Promise<readonly Readonly<Record<string, unknown>>[]> => {
    await sandbox.settled();
    return webhook.notifications().map(({ body }) => body as Readonly<Record<string, unknown>>);
  };
  return { administrator, bodies, [Symbol.asyncDispose]: async () => webhook[Symbol.asyncDispose]() };
}

describe('a presence trigger', () => {
  test('sends every event that a PUT of the same change sends', async () => {
    const eventsOf = async (change: (sandbox: Sandbox) => Promise<unknown>) => {
      await using sandbox = await startSandbox({ settings: inClear });
      await using watch = await watched(sandbox);
      await change(sandbox);
      return await watch.bodies();
    };
    const put = await eventsOf(async (sandbox) =>
      (await userClient(sandbox, '102')).put('/account/~/extension/~/presence', {
        dndStatus: 'DoNotAcceptAnyCalls',
      }),
    );
    const trigger = await eventsOf((sandbox) =>
      sandbox.control('POST', '/triggers/presence', { extension: '102', dndStatus: 'DoNotAcceptAnyCalls' }),
    );
    expect(put).toHaveLength(3);
    expect(trigger).toEqual(put);
  });
});

describe('a change of an extension', () => {
  test('spec:EVENT-22 causes one extension event with its hint, and no event if nothing changed', async () => {
    await using sandbox = await startSandbox({ settings: inClear, dialect: 'current' });
    await using watch = await watched(sandbox);
    const { administrator } = watch;
    const own = '/account/~/extension/171857102';
    const event = (hint: string) => ({
      extensions: [{ extensionId: '171857102', eventType: 'Update', hints: [hint] }],
    });
    const changes = async () => (await watch.bodies()).filter((body) => 'extensions' in body);
    await administrator.put(own, { status: 'Frozen', contact: { firstName: 'Dane' } });
    expect(await changes()).toEqual([event('ExtensionInfo')]);
    await administrator.put(own, { status: 'Enabled' });
    expect(await changes()).toHaveLength(2);
    await administrator.put(own, { contact: { firstName: 'Dane' } });
    expect(await changes()).toHaveLength(2);
    const rules = `${own}/answering-rule`;
    const { id } = (await administrator.post(rules, { type: 'Custom', name: 'Holiday' })).body;
    await administrator.put(`${rules}/${String(id)}`, { enabled: false });
    await administrator.put(`${rules}/${String(id)}`, { enabled: false });
    await administrator.delete(`${rules}/${String(id)}`);
    expect((await changes()).slice(2)).toEqual(Array.from({ length: 3 }, () => event('AnsweringRules')));
  });
});

describe('a user who is disabled', () => {
  test('is signed out, cannot sign in, receives nothing, and stays in the directory and in the queues', async () => {
    await using sandbox = await startSandbox({ settings: inClear });
    await using watch = await watched(sandbox);
    const agent = await userClient(sandbox, '102');
    await agent.post('/subscription', {
      eventFilters: ['/restapi/v1.0/account/~/extension/~/message-store'],
      deliveryMode: { transportType: 'ChannelService' },
    });
    const reply = await sandbox.control('POST', `${user('102')}/disable`);
    expect(reply).toEqual({
      extensionId: '171857102',
      status: 'Disabled',
      endedSessions: 1,
      endedSubscriptions: 1,
    });
    expect(rejection(await agent.get('/account/~/extension/~'))).toBe('401 OAU-213');
    const credentials = {
      grant_type: 'password',
      username: 'dana.okafor@example.com',
      password: 'Sandbox-102',
    };
    expect((await requestToken(sandbox, credentials)).status).toBe(401);
    const { administrator } = watch;
    const card = (await administrator.get('/account/~/extension/171857102')).body;
    expect(card).toMatchObject({ status: 'Disabled', statusInfo: { reason: 'Voluntarily' } });
    expect((await administrator.get('/account/~/extension/171857102/presence')).body).toMatchObject({
      presenceStatus: 'Offline',
    });
    expect(sandbox.members('171857201').map(({ extensionNumber }) => extensionNumber)).toContain('102');
    const text = { from, to: [{ extensionNumber: '102' }], text: 'hello' };
    expect(rejection(await administrator.post('/account/~/extension/~/company-pager', text))).toBe(
      '400 MSG-324',
    );
    const bodies = await watch.bodies();
    expect(bodies).toContainEqual({
      extensions: [{ extensionId: '171857102', eventType: 'Update', hints: ['ExtensionInfo'] }],
    });
    expect(bodies).toContainEqual(
      expect.objectContaining({ extensionId: '171857102', presenceStatus: 'Offline' }),
    );
  });

  test('works again once enabled, with the mailbox and the queues as before', async () => {
    await using sandbox = await startSandbox({ listen: false });
    await sandbox.control('POST', '/triggers/sms', { to: '102', text: 'before' });
    await sandbox.control('POST', `${user('102')}/disable`);
    expect(await sandbox.control('POST', `${user('102')}/enable`)).toMatchObject({ status: 'Enabled' });
    const agent = await userClient(sandbox, '102');
    expect((await agent.get('/account/~/extension/~')).body).not.toHaveProperty('statusInfo');
    expect((await agent.get('/account/~/extension/~/message-store')).body.records).toHaveLength(1);
    expect((await agent.get('/account/~/extension/~/presence')).body).toMatchObject({
      presenceStatus: 'Available',
    });
    expect(sandbox.members('171857201').map(({ extensionNumber }) => extensionNumber)).toContain('102');
  });

  test('ends no call of others; a call of the user ends', async () => {
    await using sandbox = await startSandbox({ listen: false, settings: { callProgression: 'manual' } });
    await sandbox.control('POST', '/triggers/call', { to: '102' });
    await sandbox.control('POST', '/triggers/call', { to: '103' });
    await sandbox.control('POST', `${user('102')}/disable`);
    const administrator = await userClient(sandbox, 'administrator');
    const calls = (await administrator.get('/account/~/active-calls')).body.records;
    expect(JSON.stringify(calls)).not.toContain('Dana');
    await expect(sandbox.control('POST', '/phones/102/answer')).rejects.toMatchObject({ status: 409 });
    expect(await sandbox.control('POST', '/phones/103/answer')).toMatchObject({ legStatus: 'Success' });
  });

  test.each([
    ['is ringing', 3000, 'CannotReach'],
    ['is connected', 6000, 'Success'],
  ])('ends a call from the user to the own number that %s', async (_state, milliseconds, callStatus) => {
    await using sandbox = await startSandbox({ listen: false });
    const agent = await userClient(sandbox, '102');
    await agent.post('/account/~/extension/~/ringout', { to: { phoneNumber: '+16505550112' } });
    await sandbox.clock.advance(milliseconds);
    expect(await sandbox.control('POST', `${user('102')}/disable`)).toMatchObject({ status: 'Disabled' });
    await sandbox.control('POST', `${user('102')}/enable`);
    const again = await userClient(sandbox, '102');
    const log = (await again.get('/account/~/extension/~/call-log')).body.records;
    expect(log).toHaveLength(2);
    const id = Number(log[0]?.['sessionId']);
    const call = (await again.get(`/account/~/extension/~/ringout/${id}`)).body;
    expect(call['status']).toMatchObject({ callStatus, callerStatus: 'Finished' });
  });
});

describe('a user who is deleted', () => {
  test('leaves directory, queues and numbers; mailbox and sessions go', async () => {
    await using sandbox = await startSandbox({ settings: inClear });
    await using watch = await watched(sandbox);
    await sandbox.control('POST', '/triggers/sms', { to: '102', text: 'hello' });
    const agent = await userClient(sandbox, '102');
    const reply = await sandbox.control('DELETE', user('102'));
    expect(reply).toEqual({
      extensionId: '171857102',
      status: 'Deleted',
      endedSessions: 1,
      endedSubscriptions: 0,
      queues: ['171857201'],
      messages: 1,
    });
    const { administrator } = watch;
    expect(rejection(await administrator.get('/account/~/extension/171857102'))).toBe('404 CMN-102');
    expect(rejection(await agent.get('/account/~/extension/~'))).toBe('401 OAU-213');
    expect(sandbox.members('171857201').map(({ extensionNumber }) => extensionNumber)).not.toContain('102');
    expect(sandbox.messages()).toEqual([]);
    const bodies = await watch.bodies();
    expect(bodies).toContainEqual({
      extensions: [{ extensionId: '171857102', eventType: 'Delete', hints: ['ExtensionInfo'] }],
    });
    expect(bodies).toContainEqual({
      extensions: [{ extensionId: '171857201', eventType: 'Update', hints: ['CallQueueMembersChange'] }],
    });
    const assign = { items: [{ departmentId: '171857201', addedExtensionIds: ['171857102'] }] };
    expect(
      (await send(sandbox, 'POST', '/account/~/department/bulk-assign', { ...administrator, json: assign }))
        .status,
    ).toBe(400);
    await sandbox.clock.advance(30 * 86_400_000);
  });

  test('keeps the threads of others readable, and the account-wide call log', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const administrator = await userClient(sandbox, 'administrator');
    const page = { from, to: [{ extensionNumber: '102' }, { extensionNumber: '103' }], text: 'all' };
    const first = await administrator.post('/account/~/extension/~/company-pager', page);
    await sandbox.control('POST', '/triggers/call', { to: '102', talkSeconds: 1 });
    await sandbox.clock.advance(60_000);
    const before = (await administrator.get('/account/~/call-log')).body.records;
    await sandbox.control('DELETE', user('102'));
    expect((await administrator.get('/account/~/call-log')).body.records).toEqual(before);
    const reply = { from, replyOn: first.body.id, text: 'again' };
    expect((await administrator.post('/account/~/extension/~/company-pager', reply)).status).toBe(200);
  });
});

describe('users who cannot be removed', () => {
  test.each([
    ['disable', '100', 'main administrator'],
    ['disable', '101', 'operator'],
    ['disable', '201', 'call queue'],
    ['disable', '108', 'already Disabled'],
    ['enable', '102', 'already Enabled'],
  ])('%s %s: a conflict with the message %s', async (action, who, why) => {
    await using sandbox = await startSandbox({ listen: false });
    const rejected = sandbox.control('POST', `${user(who)}/${action}`);
    await expect(rejected).rejects.toMatchObject({ status: 409, message: expect.stringContaining(why) });
  });

  test('unknown users and actions are named', async () => {
    await using sandbox = await startSandbox({ listen: false });
    await expect(sandbox.control('DELETE', user('nobody'))).rejects.toMatchObject({ status: 404 });
    await expect(sandbox.control('POST', `${user('102')}/promote`)).rejects.toMatchObject({ status: 404 });
    await expect(sandbox.control('DELETE', user('100'))).rejects.toMatchObject({ status: 409 });
  });
});

describe('an assertion by the control API', () => {
  test('signs in the user it names, by number, e-mail address or id', async () => {
    await using sandbox = await startSandbox({ listen: false });
    for (const who of ['102', 'dana.okafor@example.com', '171857102']) {
      const { assertion, ...rest } = await sandbox.control('POST', '/assertions', { user: who });
      expect(rest).toEqual({ extensionId: '171857102', expiresAt: '2026-01-05T09:05:00.000Z' });
      const form = {
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: String(assertion),
      };
      expect((await requestToken(sandbox, form)).body).toMatchObject({ owner_id: '171857102' });
    }
    await expect(sandbox.control('POST', '/assertions', { user: '202' })).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('cannot sign in'),
    });
  });
});

describe('a trigger that cannot be read', () => {
  test.each([
    [
      'extension',
      { extension: '107', status: 'Disabled' },
      '"status" is not a valid field; extension accepts extension, hint',
    ],
    ['call', { from: '102' }, 'to is missing; call accepts to, from, fromName, talkSeconds'],
    ['call', { to: '102', talkSeconds: 'soon' }, 'talkSeconds must be a number; call accepts'],
    ['call', { to: '102', talkSeconds: '-1' }, 'talkSeconds must be more than 0; call accepts'],
    ['sms', { to: '102', text: '' }, 'text must not be empty; sms accepts to, from, text'],
    ['presence', { extension: '102', userStatus: 'Asleep' }, 'userStatus must be one of '],
    ['presence', { extension: '102', message: 'x'.repeat(76) }, 'message must have at most 75 characters'],
  ])('%s %j: %s', async (kind, input, message) => {
    await using sandbox = await startSandbox({ listen: false });
    const rejected = sandbox.control('POST', `/triggers/${kind}`, input);
    await expect(rejected).rejects.toMatchObject({ status: 400, message: expect.stringContaining(message) });
  });
});
