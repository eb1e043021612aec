import { describe, expect, it } from 'vitest';
import {
  buildClient,
  type Client,
  type HttpReply,
  OutcomeUnknownError,
  type OutcomeReport,
  ReplyError,
} from '../../src/client/index.ts';
import { nothing } from '../../src/client/shapes/shape.ts';
import type { SubscriptionRequest } from '../../src/contract/subscription.ts';
import { fakeReply, fakeService, fakeTiming, plainSettings } from '../support/fake-service.ts';

const sms = { from: { phoneNumber: '+16505550100' }, to: [{ phoneNumber: '+16505550112' }], text: 'hi' };
const page = { from: { extensionNumber: '101' }, to: [{ extensionNumber: '102' }], text: 'hi' };
const hook: SubscriptionRequest = {
  eventFilters: ['/restapi/v1.0/account/~/extension/~/message-store'],
  deliveryMode: { transportType: 'WebHook', address: 'https://hook.example/' },
};

type Send = (api: Client) => Promise<unknown>;
type Write = readonly [string, Send, Readonly<Record<string, unknown>> | undefined];

/** Requests that must not be done twice, each with the least that proves it. */
const once: readonly Write[] = [
  ['sms', (api) => api.messages.sendSms(sms), { id: 1 }],
  ['pager', (api) => api.messages.sendPager(page), { id: 1 }],
  ['fax', (api) => api.faxes.send({ to: [{ phoneNumber: '+16505550112' }] }, []), { id: 1 }],
  ['fax resend', (api) => api.faxes.resend({ originalMessageId: '5' }), { id: '1' }],
  [
    'ringout',
    (api) => api.ringOuts.start({ to: { phoneNumber: '+16505550112' } }),
    { id: 'Y3M', status: {} },
  ],
  ['subscription', (api) => api.subscriptions.create(hook), { id: 'c1' }],
  ['chat webhook', (api) => api.chatWebhooks.create('7'), { id: 'w1' }],
];

/** Changes that may be repeated; without a least record an empty reply proves them. */
const repeatable: readonly Write[] = [
  ['ringout cancel', (api) => api.ringOuts.cancel(5), undefined],
  ['subscription update', (api) => api.subscriptions.update('c1'), { id: 'c1' }],
  ['subscription renew', (api) => api.subscriptions.renew('c1'), { id: 'c1' }],
  ['subscription delete', (api) => api.subscriptions.delete('c1'), undefined],
  ['chat webhook activate', (api) => api.chatWebhooks.set('w1', 'activate'), undefined],
  ['chat webhook suspend', (api) => api.chatWebhooks.set('w1', 'suspend'), undefined],
  ['chat webhook delete', (api) => api.chatWebhooks.delete('w1'), undefined],
  [
    'presence',
    (api) => api.presence.update('~', { dndStatus: 'TakeAllCalls' }),
    { dndStatus: 'TakeAllCalls' },
  ],
  ['bulk-assign', (api) => api.departments.bulkAssign([{ departmentId: '2' }]), undefined],
  ['mailbox delete', (api) => api.messages.deleteWhere({ conversationId: ['5'] }), undefined],
];

/** What a proxy, a sign-in page of a network or a confused gateway answers with a status that says success. */
const noReceipts: readonly (readonly [number, unknown])[] = [
  [200, {}],
  [200, { login: 'https://wifi.example/sign-in' }],
  [200, { error: 'gateway' }],
  [200, { errorCode: 'CMN-101', message: 'no' }],
  [200, { id: null }],
  [200, { id: '' }],
  [200, { id: ' ' }],
  [200, { id: 0 }],
  [200, { id: -1 }],
  [200, { id: 1.5 }],
  [200, { id: 0, status: {} }],
  [200, { id: -5, status: { callStatus: 'InProgress' } }],
  [200, { id: {} }],
  [200, { id: true, status: 'InProgress' }],
  [200, { id: '5', errorCode: 'CMN-101' }],
  [201, { id: 'c1', status: { callStatus: 'InProgress' }, errorCode: 'AGW-500', message: 'no' }],
  [200, { dndStatus: 'TakeAllCalls', errorCode: 'CMN-211' }],
  [202, { queued: true }],
  [207, { status: 400 }],
  [200, { id: 5, status: {}, errorCode: 500 }],
  [200, { id: 5, status: {}, errors: [{ errorCode: 'CMN-101', message: 'no' }] }],
  [200, { id: 5, status: {}, errors: ['no'] }],
  [200, { id: 5, status: {}, error: 'gateway' }],
  [200, { id: 5, status: {}, error: { code: 500 } }],
  [200, { dndStatus: 'TakeAllCalls', error: true }],
  [202, { id: 5, status: {} }],
  [202, { dndStatus: 'TakeAllCalls' }],
  [206, { id: 5, status: {} }],
  [207, { id: 5, status: {} }],
  [200, null],
  [200, []],
  [200, 'ok'],
];

/** Content types of pages, which a portal also sends with a body that happens to be JSON. */
const foreignTypes = [
  'text/html; charset=utf-8',
  'Text/HTML',
  'text/plain',
  'application/xml',
  'image/svg+xml',
];

const jsonTypes = [
  'application/json;charset=UTF-8',
  'Application/JSON',
  'application/vnd.x.v1+json',
  'text/json',
  '',
];

function clientFor(status: number, body: unknown, type?: string) {
  const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
  const { http, asked } = fakeService([{ status, body, headers }]);
  const reports: OutcomeReport[] = [];
  const recorder = {
    requireUnused: () => Promise.resolve(),
    before: () =>
      Promise.resolve({
        confirm: () => Promise.resolve(),
        settle: (report: OutcomeReport) => {
          reports.push(report);
          return Promise.resolve();
        },
      }),
  };
  return { api: buildClient({ ...plainSettings, http, recorder, timing: fakeTiming() }), asked, reports };
}

describe('a request that must not be executed twice', () => {
  it.each(
    once.flatMap(([name, write]) => noReceipts.map(([status, body]) => [name, status, body, write] as const)),
  )('%s answered with %i %j is not known to be done', async (_name, status, body, write) => {
    const { api, asked, reports } = clientFor(status, body);
    await expect(write(api)).rejects.toBeInstanceOf(OutcomeUnknownError);
    expect(asked).toHaveLength(1);
    expect(reports).toMatchObject([{ state: 'unknown' }]);
  });

  it.each(once)('%s succeeds with the minimal receipt', async (_name, write, least) => {
    const { api, reports } = clientFor(200, least);
    expect(await write(api)).toMatchObject(least ?? {});
    expect(reports).toMatchObject([{ state: 'sent' }]);
  });

  it('a two-legged call without the parts of its status has an unknown status', async () => {
    const made = await clientFor(200, { id: 'Y3M', status: {} }).api.ringOuts.start({});
    expect(made.status).toEqual({ callStatus: 'Unknown', callerStatus: 'Unknown', calleeStatus: 'Unknown' });
  });

  it('a two-legged call needs its status as well as its id', async () => {
    const call = { to: { phoneNumber: '+16505550112' } };
    await expect(clientFor(200, { id: 5 }).api.ringOuts.start(call)).rejects.toThrow(
      /without a valid "status"/,
    );
  });

  it.each(
    once.flatMap(([name, write, least]) => foreignTypes.map((type) => [name, type, write, least] as const)),
  )('%s has an unknown outcome after a receipt of the type %s', async (_name, type, write, least) => {
    const { api, reports } = clientFor(200, least, type);
    await expect(write(api)).rejects.toBeInstanceOf(OutcomeUnknownError);
    expect(reports).toMatchObject([{ state: 'unknown' }]);
  });

  it.each(
    once.flatMap(([name, write, least]) => jsonTypes.map((type) => [name, type, write, least] as const)),
  )('%s succeeds with a receipt of the type %s, without errors', async (_name, type, write, least) => {
    const none = { error: null, errors: [], errorCode: '', message: null };
    const { api, reports } = clientFor(201, { ...least, ...none }, type);
    await write(api);
    expect(reports).toMatchObject([{ state: 'sent' }]);
  });

  it.each([408, 499, 500, 501, 502, 503, 504, 507, 599])(
    'has an unknown outcome after HTTP %i',
    async (status) => {
      const { api, asked, reports } = clientFor(status, { message: 'x' });
      await expect(api.messages.sendSms(sms)).rejects.toBeInstanceOf(OutcomeUnknownError);
      expect(asked).toHaveLength(1);
      expect(reports).toMatchObject([{ state: 'unknown' }]);
    },
  );

  it.each([400, 403, 404, 409, 413, 422])('was rejected by HTTP %i', async (status) => {
    const { api, reports } = clientFor(status, { message: 'x' });
    await expect(api.messages.sendSms(sms)).rejects.toMatchObject({ name: 'ApiError', status });
    expect(reports).toMatchObject([{ state: 'failed' }]);
  });
});

describe('a change that may be repeated', () => {
  it.each(
    repeatable.flatMap(([name, write]) =>
      noReceipts.map(([status, body]) => [name, status, body, write] as const),
    ),
  )('%s answered with %i %j may have been made', async (_name, status, body, write) => {
    const failure = await write(clientFor(status, body).api).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ReplyError);
    expect(failure).toMatchObject({ mayBeDone: true });
  });

  it.each(
    repeatable.flatMap(([name, write, least]) =>
      least ? foreignTypes.map((type) => [name, type, write, least] as const) : [],
    ),
  )('%s answered with its receipt of the type %s may have been made', async (_name, type, write, least) => {
    const { api } = clientFor(200, least, type);
    await expect(write(api)).rejects.toMatchObject({ name: 'ReplyError', mayBeDone: true });
  });

  it.each(repeatable)('%s succeeds with its receipt', async (_name, write, least) => {
    const { api } = clientFor(least ? 200 : 204, least);
    expect((await write(api)) ?? {}).toMatchObject(least ?? {});
  });
});

describe('an empty reply', () => {
  const emptied = repeatable.filter(([, , least]) => least === undefined);
  const chat = /^chat webhook/;

  const statuses = [200, 201, 202, 203, 204, 205, 207];
  const documented = (name: string): readonly number[] => (chat.test(name) ? [200, 204] : [204]);
  const cases = (isDocumented: boolean) =>
    emptied.flatMap(([name, write]) =>
      statuses
        .filter((status) => documented(name).includes(status) === isDocumented)
        .map((status) => [name, status, write] as const),
    );

  it.each(cases(true))('to %s with %i proves it', async (_, status, write) => {
    expect(await write(clientFor(status, undefined).api)).toBeUndefined();
  });

  it.each(cases(false))('to %s with %i does not prove it', async (_, status, write) => {
    await expect(write(clientFor(status, undefined).api)).rejects.toMatchObject({
      name: 'ReplyError',
      status,
      mayBeDone: true,
      isEmpty: true,
    });
  });

  it.each([200, 202])('with %i does not prove that messages were deleted', async (status) => {
    const one = all(clientFor(status, undefined).api.messages.deleteEach([5]));
    await expect(one).rejects.toMatchObject({ name: 'ReplyError', mayBeDone: true });
    const two = await all(clientFor(status, undefined).api.messages.deleteEach([5, 6]));
    expect(two).toMatchObject([{ status: undefined }, { status: undefined }]);
  });
});

it.each([302, 308])(
  'a change that may be repeated, answered by a redirect (%i), may have been made',
  async (status) => {
    const { api } = clientFor(status, undefined);
    await expect(api.subscriptions.delete('c1')).rejects.toMatchObject({
      name: 'ReplyError',
      mayBeDone: true,
    });
    await expect(clientFor(status, undefined).api.subscriptions.get('c1')).rejects.toMatchObject({
      mayBeDone: false,
    });
  },
);

describe('one message', () => {
  const changes: readonly (readonly [string, Send, boolean])[] = [
    ['update', (api) => all(api.messages.updateEach([5], { readStatus: 'Read' })), false],
    ['patch', (api) => all(api.messages.patchEach([5], { availability: 'Alive' })), false],
    ['delete', (api) => all(api.messages.deleteEach([5])), true],
  ];
  const others = noReceipts.filter(([, body]) => !Array.isArray(body));

  it.each(
    changes.flatMap(([name, change]) =>
      others.map(([status, body]) => [name, status, body, change] as const),
    ),
  )('%s answered with %i %j may have been made', async (_name, status, body, change) => {
    await expect(change(clientFor(status, body).api)).rejects.toMatchObject({ mayBeDone: true });
  });

  it.each(changes)(
    '%s succeeds with the message itself, a deletion with an empty reply',
    async (_, change, isDelete) => {
      const { api } = isDelete ? clientFor(204, undefined) : clientFor(200, { id: '5' });
      expect(await change(api)).toMatchObject([{ id: '5', reason: undefined }]);
      const other = isDelete ? clientFor(200, { id: 5 }) : clientFor(200, { id: 6 });
      await expect(change(other.api)).rejects.toMatchObject({ mayBeDone: true });
    },
  );

  it('can be missing', async () => {
    const { api } = clientFor(404, { errorCode: 'CMN-102', message: 'not there' });
    expect(await all(api.messages.deleteEach([5]))).toMatchObject([{ status: 404, reason: 'not there' }]);
  });
});

describe('a reply that is read', () => {
  const reads: readonly (readonly [string, (api: Client) => Promise<unknown>])[] = [
    ['extensions', (api) => all(api.extensions.list())],
    ['members', (api) => all(api.departments.members(2))],
    ['messages', (api) => all(api.messages.list())],
    ['call log', (api) => all(api.callLog.list('account'))],
    ['active calls', (api) => api.callLog.active('account')],
    ['subscriptions', (api) => api.subscriptions.list()],
    ['chat webhooks', (api) => api.chatWebhooks.list()],
    ['numbers', (api) => all(api.phoneNumbers.list())],
    ['forwarding numbers', (api) => all(api.phoneNumbers.forwarding())],
  ];

  it.each(reads)('lists %s only with the identifying members', async (_name, read) => {
    for (const records of [[{}], [{ id: 1 }, { name: 'x' }], [null], [{ id: null }], 'x']) {
      await expect(read(clientFor(200, { records }).api)).rejects.toBeInstanceOf(ReplyError);
    }
    for (const id of [7, '7']) {
      const found = await read(clientFor(200, { records: [{ id, unknown: { member: [1] } }] }).api);
      expect(found).toMatchObject([{ unknown: { member: [1] } }]);
      expect(String((found as readonly { id: unknown }[])[0]?.id)).toBe('7');
    }
  });

  it('can be used where members are missing, null or of another type', async () => {
    const odd = { id: '5', to: null, from: 'x', attachments: [null, 7, { uri: 'https://a.example/1' }] };
    const more = { creationTime: 'yesterday', extensionId: 101, subject: 5, pgToDepartment: 'true' };
    const message = await clientFor(200, { ...odd, ...more }).api.messages.get('5');
    expect(message).toEqual({
      id: '5',
      to: [],
      from: {},
      attachments: [{ uri: 'https://a.example/1' }],
      extensionId: '101',
      subject: '5',
      pgToDepartment: true,
    });
  });

  it('has the lists and objects that the program reads', async () => {
    expect(await clientFor(200, { id: 5 }).api.messages.get(5)).toEqual({
      id: 5,
      to: [],
      from: {},
      attachments: [],
    });
    expect(await clientFor(200, { id: 5 }).api.subscriptions.get('5')).toMatchObject({
      id: '5',
      eventFilters: [],
      deliveryMode: {},
    });
  });

  it('may have any page envelope', async () => {
    const paging = { page: '1', perPage: null, totalPages: null };
    const body = { records: [{ id: 1 }], paging, navigation: 'none' };
    expect(await all(clientFor(200, body).api.extensions.list())).toMatchObject([{ id: 1 }]);
  });
});

describe('a request that was typed', () => {
  const replyOf = (body: unknown): HttpReply => fakeReply({ status: 200, body });

  it('returns the reply unchanged', async () => {
    const { api } = clientFor(200, { id: 5, other: 1 });
    const reply = await api.transport.open({
      method: 'POST',
      path: '/restapi/v1.0/account/~/extension/~/sms',
      body: sms,
      once: true,
    });
    expect(await reply.text()).toBe(await replyOf({ id: 5, other: 1 }).text());
  });

  it.each([
    'sms',
    'mms',
    'company-pager',
    'fax',
    'ringout',
    'ring-out',
    'a2p-sms/batches',
    'message-threads/messages',
    'telephony/call-out',
    'posts',
  ])('to %s has an unknown outcome without its receipt', async (place) => {
    const { api, reports } = clientFor(200, { login: 'x' });
    const call = {
      method: 'POST',
      path: `/restapi/v1.0/account/~/extension/~/${place}`,
      once: true,
    } as const;
    await expect(api.transport.open(call)).rejects.toBeInstanceOf(OutcomeUnknownError);
    expect(reports).toMatchObject([{ state: 'unknown' }]);
  });

  it.each([
    ['message-threads/messages', { id: 'a-1' }],
    ['telephony/call-out', { session: { id: 's-1' } }],
    ['telephony/call-out', { id: 's-1' }],
    ['posts', { id: '5' }],
  ])('to %s succeeds with %j', async (place, least) => {
    const { api, reports } = clientFor(200, least);
    const call = { method: 'POST', path: `/restapi/v1.0/account/~/${place}`, once: true } as const;
    expect(JSON.parse(await (await api.transport.open(call)).text())).toEqual(least);
    expect(reports).toMatchObject([{ state: 'sent' }]);
  });
});

describe('a record that is read', () => {
  it.each([
    ['without a schedule and its own address', { uri: 'https://x.example/restapi', serverVersion: '99.1' }],
    ['of another resource', { apiVersions: [] }],
    ['that is empty', {}],
  ])('as business hours %s is rejected', async (_, body) => {
    await expect(clientFor(200, body).api.businessHours.get('company')).rejects.toBeInstanceOf(ReplyError);
  });

  it.each([
    { schedule: {} },
    { uri: 'https://x.example/restapi/v1.0/account/1/business-hours' },
    { schedule: { weeklyRanges: {} }, uri: 'https://x.example/elsewhere' },
  ])('as business hours is accepted: %j', async (body) => {
    expect(await clientFor(200, body).api.businessHours.get('company')).toEqual(body);
  });

  it.each([0, 1.5, '', ' ', {}, null])('as a task with the status %j is rejected', async (status) => {
    const { api } = clientFor(200, { id: 'task-1', status });
    await expect(api.extensions.updateTask('task-1')).rejects.toBeInstanceOf(ReplyError);
  });
});

async function all<T>(records: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const one of records) found.push(one);
  return found;
}

describe('a change that was typed', () => {
  const call = (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', place: string, body?: unknown) =>
    ({ method, path: `/restapi/v1.0/account/~/${place}`, body, once: method === 'POST' }) as const;
  const party = 'telephony/sessions/s-1/parties/p-1';
  const changes = [
    call('POST', `${party}/transfer`, { phoneNumber: '+16505550112' }),
    call('POST', `${party}/hold`),
    call('PATCH', party, { muted: true }),
    call('POST', 'unknown-things', { name: 'x' }),
    call('PUT', 'unknown-things/5', { name: 'x' }),
    call('PATCH', 'extension/~/unified-presence', { chat: { availability: 'DND' } }),
    call('PUT', 'extension/~/presence', { dndStatus: 'DoNotAcceptAnyCalls' }),
    call('PUT', 'extension/~/presence', { userStatus: 'Offline' }),
    call('PUT', 'extension/~/message-store/5', { readStatus: 'Read' }),
    call('PUT', 'extension/~/message-store/5,6', [{ body: {} }, { body: {} }]),
    call('POST', 'call-queues/5/bulk-assign', {}),
    call('POST', 'extension/~/answering-rule', { name: 'x' }),
    call('PUT', 'extension/~/business-hours', { schedule: {} }),
    call('DELETE', 'extension/~/message-store/5'),
    call('DELETE', 'unknown-things/5'),
  ];
  const implausible: readonly (readonly [number, string])[] = [
    ...noReceipts
      .filter(([, body]) => !isRecordWithId(body))
      .map(([status, body]) => [status, JSON.stringify(body)] as const),
    [200, '<html>sign in</html>'],
    [200, ''],
    [201, ''],
    [202, ''],
    [207, '[]'],
    [207, '[{"login":"x"}]'],
    [200, '{"message":"no"}'],
    [200, '{"errors":[{"errorCode":"CMN-101","message":"no"}]}'],
    [200, '{"id":"5","errors":[{"errorCode":"CMN-101","message":"no"}]}'],
    [200, '{"uri":"","records":{}}'],
    [200, '{"error":"gateway","id":"5"}'],
    [200, '{"dndStatus":"TakeAllCalls","userStatus":"Busy"}'],
    [200, '{"name":"x","muted":true,"readStatus":"Read"}'],
  ];

  it.each(
    changes.flatMap((one) =>
      implausible.map(([status, text]) => [one.method, one.path, status, text, one] as const),
    ),
  )('%s %s answered with %i %s has an unknown outcome', async (_method, _path, status, text, one) => {
    const { http, asked } = fakeService([{ status, body: Buffer.from(text) }]);
    const api = buildClient({ ...plainSettings, http, timing: fakeTiming() });
    const failure = await api.transport.open(one).catch((error: unknown) => error);
    expect(asked).toHaveLength(1);
    const unknown = one.once ? { name: 'OutcomeUnknownError' } : { name: 'ReplyError', mayBeDone: true };
    expect(failure).toMatchObject(unknown);
  });

  const hook = { ...call('POST', '', { eventFilters: ['/x'] }), path: '/restapi/v1.0/subscription' };
  it.each([
    [202, '{"id":"5"}', hook],
    [207, '{"id":"5"}', hook],
    [202, '{"id":5}', call('PUT', 'extension/~/message-store/5', { readStatus: 'Read' })],
    [202, '{"id":5,"records":[]}', call('POST', 'extension', { name: 'x' })],
    [206, '{"id":5}', call('PUT', 'unknown-things/5', { name: 'x' })],
    [207, '{"id":5}', call('PUT', 'unknown-things/5', { name: 'x' })],
    [200, '{"login":1}', call('POST', 'unknown-things', { login: 1 })],
    [200, '{"error":"x","text":"a"}', call('POST', 'unknown-things', { text: 'a' })],
    [200, '{"userStatus":"Available"}', call('PUT', 'extension/~/presence', { userStatus: 'Busy' })],
    [
      200,
      '{"dndStatus":"TakeAllCalls","ringOnMonitoredCall":false}',
      call('PUT', 'extension/~/presence', { dndStatus: 'TakeAllCalls', ringOnMonitoredCall: true }),
    ],
    [200, '{"chat":{"availability":"DND"}}', call('PATCH', 'extension/~/other', { chat: {} })],
    [200, '{"id":5}', { ...call('PUT', 'unknown-things/5', {}), reply: nothing }],
  ] as const)('answered with %i %s has an unknown outcome: %j', async (status, text, one) => {
    const { http } = fakeService([{ status, body: Buffer.from(text) }]);
    const api = buildClient({ ...plainSettings, http, timing: fakeTiming() });
    const failure = await api.transport.open(one).catch((error: unknown) => error);
    const unknown = one.once ? { name: 'OutcomeUnknownError' } : { name: 'ReplyError', mayBeDone: true };
    expect(failure).toMatchObject(unknown);
  });

  it('answered with a page has an unknown outcome', async () => {
    const headers = { 'content-type': 'text/html' };
    const { http } = fakeService([{ status: 200, body: { id: 5 }, headers }]);
    const api = buildClient({ ...plainSettings, http, timing: fakeTiming() });
    await expect(api.transport.open(call('PUT', 'unknown-things/5', {}))).rejects.toMatchObject({
      mayBeDone: true,
    });
  });

  it.each([
    [204, '', call('POST', `${party}/reject`)],
    [200, '{"id":"p-1","status":{"code":"Hold"}}', call('POST', `${party}/hold`)],
    [201, '{"uri":"/restapi/v1.0/x"}', call('POST', 'unknown-things', {})],
    [200, '{"records":[]}', call('PUT', 'extension/~/call-queues', { records: [] })],
    [
      200,
      '{"status":"DND","chat":{"availability":"DND"}}',
      call('PATCH', 'extension/~/unified-presence', { chat: {} }),
    ],
    [200, '{"id":"p-1","muted":true}', call('PATCH', party, { muted: true })],
    [202, '{"id":"task-1"}', call('POST', 'unknown-things', {})],
    [202, '{"id":"task-1","status":"Accepted"}', call('POST', 'message-store-report', {})],
    [200, '{"userStatus":"Busy"}', call('PUT', 'extension/~/presence', { userStatus: 'Busy' })],
    [200, '{"schedule":{"weeklyRanges":{}}}', call('PUT', 'extension/~/business-hours', '{"schedule":{}}')],
    [200, '{"dndStatus":"TakeAllCalls"}', call('PUT', 'extension/~/presence', { dndStatus: 'TakeAllCalls' })],
    [200, '{"presenceStatus":"Busy"}', call('PUT', 'extension/~/presence', { message: 'x' })],
    [200, '{"userStatus":"Busy","message":"x"}', call('PUT', 'extension/~/presence', { message: 'x y' })],
    [200, '{"userStatus":"Busy"}', call('PUT', 'extension/~/presence', { ringOnMonitoredCall: true })],
    [
      200,
      '{"userStatus":"Busy","ringOnMonitoredCall":null}',
      call('PUT', 'extension/~/presence', { ringOnMonitoredCall: true }),
    ],
    [200, '', { ...call('POST', ''), path: '/restapi/oauth/revoke' }],
    [200, '{"ws_access_token":"t"}', { ...call('POST', ''), path: '/restapi/oauth/wstoken' }],
    [200, '', { ...call('POST', ''), path: '/team-messaging/v1/webhooks/5/suspend' }],
    [200, '', { ...call('DELETE', ''), path: '/restapi/v1.0/chat/webhooks/5' }],
    [200, '{"id":5}', call('PUT', 'extension/~/message-store/5', {})],
    [200, '{"errorCode":"","id":5}', call('PUT', 'unknown-things/5', {})],
  ] as const)('answered with %i %s succeeds', async (status, text, one) => {
    const { http } = fakeService([{ status, body: Buffer.from(text) }]);
    const api = buildClient({ ...plainSettings, http, timing: fakeTiming() });
    const sent = typeof one.body === 'string' ? { ...one, contentType: 'application/json' } : one;
    expect(await (await api.transport.open(sent)).text()).toBe(text);
  });

  it('names the answer for each of several IDs, in the order of the request', async () => {
    const items = [
      { resourceId: 6, status: 404, body: { errorCode: 'CMN-102', message: 'no' } },
      { resourceId: '5', status: 200, body: { id: 5 } },
    ];
    const { http } = fakeService([{ status: 207, body: items }]);
    const api = buildClient({ ...plainSettings, http, timing: fakeTiming() });
    const reply = await api.transport.open(call('PUT', 'extension/~/message-store/5,6,7', [{}, {}, {}]));
    expect(reply.parts).toEqual([
      { id: '5', status: 200 },
      { id: '6', status: 404 },
      { id: '7', status: undefined },
    ]);
  });

  it('reads a reply in parts of the type multipart/mixed', async () => {
    const body = Buffer.from(
      '--b\r\n\r\n{"response":[{"href":"/x/5","status":200},{"href":"/x/6","status":403}]}\r\n--b\r\n\r\n{"id":5}\r\n--b\r\n\r\n{"errorCode":"CMN-408"}\r\n--b--',
    );
    const headers = { 'content-type': 'multipart/mixed; boundary=b' };
    const { http } = fakeService([{ status: 207, body, headers }]);
    const api = buildClient({ ...plainSettings, http, timing: fakeTiming() });
    const reply = await api.transport.open(call('PATCH', 'extension/~/message-store/5,6', [{}, {}]));
    expect(reply.parts).toEqual([
      { id: '5', status: 200 },
      { id: '6', status: 403 },
    ]);
  });

  const messages = 'extension/~/message-store';
  const done = (id: number) => ({ resourceId: id, status: 200, body: { id } });
  const presenceOf = (id: number) => ({
    href: `/restapi/v1.0/account/~/extension/${id}/presence`,
    status: 200,
    body: { extension: { id } },
  });
  it.each([
    ['deleted without a body', 204, undefined, call('DELETE', `${messages}/5,,6,5`), [204, 204]],
    [
      'named in the body',
      207,
      [done(5)],
      call('PUT', `${messages}/*`, [{ resourceId: 5 }, { resourceId: '6' }, { name: 'x' }]),
      [200, undefined],
    ],
    [
      'named by the extension of a presence',
      207,
      [presenceOf(5), presenceOf(6)],
      call('PUT', 'extension/5,6/presence', [{}, {}]),
      [200, 200],
    ],
  ] as const)('names the answer for IDs that are %s', async (_, status, body, one, statuses) => {
    const { http } = fakeService([{ status, body }]);
    const api = buildClient({ ...plainSettings, http, timing: fakeTiming() });
    const { parts } = await api.transport.open(one);
    expect(parts).toEqual(statuses.map((of, index) => ({ id: `${index + 5}`, status: of })));
  });

  it.each([
    [204, '', call('PUT', `${messages}/5,6`, [{}, {}])],
    [207, '[]', call('PUT', `${messages}/5,6`, [{}, {}])],
    [200, '{"id":5}', call('PUT', `${messages}/5,6`, [{}, {}])],
    [200, '{"login":1}', call('DELETE', `${messages}/5,6`)],
  ] as const)('has an unknown outcome without a result for any ID: %i %s', async (status, text, one) => {
    const { http } = fakeService([{ status, body: Buffer.from(text) }]);
    const api = buildClient({ ...plainSettings, http, timing: fakeTiming() });
    const unproven: string[] = [];
    const failure = api.transport.open(one, { onUnproven: ({ text: given }) => void unproven.push(given) });
    await expect(failure).rejects.toMatchObject({ name: 'ReplyError', mayBeDone: true });
    expect(unproven).toEqual([text]);
  });
});

/** Whether a body looks like a record of the service, which an unknown path could return. */
function isRecordWithId(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || !('id' in body)) return false;
  if ('errorCode' in body || 'errors' in body || 'error' in body) return false;
  return typeof body.id === 'string' ? body.id.trim() !== '' : body.id === 5;
}
