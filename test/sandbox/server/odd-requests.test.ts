import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { rejection, send, userClient } from '../request.ts';

const store = '/account/~/extension/~/message-store';

test('of a repeated query key that takes one value the first counts; others take them all', async () => {
  await using sandbox = await startSandbox({ listen: false });
  const user = await userClient(sandbox, 'administrator');
  const { body } = await user.get('/account/~/extension?perPage=2&perPage=x&type=User&type=Department');
  expect(body.paging['perPage']).toBe(2);
  const all = await user.get('/account/~/extension?type=User&type=Department&perPage=1000');
  expect(new Set(all.body.records.map(({ type }) => type))).toEqual(new Set(['User', 'Department']));
  expect(rejection(await user.get('/account/~/extension?perPage=x&perPage=2'))).toBe('400 CMN-101');
  const sync = await user.get(
    '/account/~/extension/~/message-sync?syncType=FSync&syncType=ISync&recordCount=1&recordCount=2',
  );
  expect(sync.body['syncInfo']).toMatchObject({ syncType: 'FSync' });
});

test('bulk-assign: a missing permission is reported before errors in the body', async () => {
  await using sandbox = await startSandbox({ listen: false });
  const path = '/account/~/department/bulk-assign';
  const user = await userClient(sandbox, '102');
  const admin = await userClient(sandbox, 'administrator');
  for (const json of [{ items: 1 }, { items: [] }, [], undefined]) {
    expect(rejection(await user.post(path, json))).toBe('403 CMN-402');
    expect((await admin.post(path, json)).status).toBe(400);
  }
  expect((await admin.post(path, { items: [] })).body['parameterName']).toBe('items');
});

test.each([
  ['dateFrom', 'dateFrom=2026-02-30'],
  ['dateTo', 'dateTo=2026-04-31T10:00:00Z'],
  ['conversationId', 'conversationId=abc'],
])('a %s that cannot be: %s', async (name, query) => {
  await using sandbox = await startSandbox({ listen: false });
  const user = await userClient(sandbox, '102');
  const answers = [
    await user.get(`${store}?${query}`),
    await user.get(`/account/~/extension/~/message-sync?syncType=FSync&${query}`),
  ];
  for (const answer of answers) {
    expect(rejection(answer)).toBe('400 CMN-101');
    expect(answer.body['parameterName']).toBe(name);
  }
  expect((await user.get(`${store}?dateFrom=2024-02-29&conversationId=1234567890123456789`)).status).toBe(
    200,
  );
});

test('a recordCount of any size is cut down to what a mailbox gives at once', async () => {
  await using sandbox = await startSandbox({ listen: false });
  const user = await userClient(sandbox, '102');
  const sync = '/account/~/extension/~/message-sync?syncType=FSync&recordCount=';
  expect((await user.get(`${sync}9007199254740991`)).status).toBe(200);
  expect(rejection(await user.get(`${sync}9007199254740993`))).toBe('400 CMN-101');
});

describe('the media type of a JSON body', () => {
  const asked = async (type: string | undefined, body: string) => {
    await using sandbox = await startSandbox({ listen: false });
    const { token } = await userClient(sandbox, '102');
    return send(sandbox, 'PUT', '/account/~/extension/~/presence', {
      token,
      ...(type !== undefined && { headers: { 'content-type': type } }),
      // A body of text would get the type text/plain.
      body: new TextEncoder().encode(body),
    });
  };

  test.each([
    undefined,
    'application/json',
    'Application/JSON ; charset=utf-8',
    'application/json; charset="UTF-8"; x=y',
  ])('spec:BASE-36 %s is accepted', async (type) => {
    expect((await asked(type, '{"message":"x"}')).status).toBe(200);
  });

  test.each([
    'text/plain;charset=UTF-8',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/octet-stream',
    'multipart/form-data; boundary=x',
    '',
  ])('spec:BASE-36 "%s" is rejected', async (type) => {
    const answer = await asked(type, '{"message":"x"}');
    expect(rejection(answer)).toBe('415 CMN-103');
    expect(answer.body['message']).toContain(`[${type.split(';')[0]}]`);
  });

  test('spec:BASE-36 only UTF-8 is accepted', async () => {
    const answer = await asked('application/json; charset=ISO-8859-1', '{"message":"x"}');
    expect(rejection(answer)).toBe('400 CMN-407');
  });

  test('without a body, the type does not matter', async () => {
    expect(rejection(await asked('text/plain', ''))).toBe(rejection(await asked(undefined, '')));
  });
});

test('spec:DICT-2, EXT-13 the addresses of an extension and of a country can be read', async () => {
  await using sandbox = await startSandbox({ listen: false });
  const user = await userClient(sandbox, '102');
  const pathOf = (uri: unknown) => new URL(String(uri)).pathname;
  const extensions = await user.get('/account/~/extension?extensionNumber=103');
  const [extension] = extensions.body.records;
  expect((await user.get(pathOf(extension?.['uri']))).body).toEqual(extension);
  expect((await user.get('/account/~/extension/~')).body['extensionNumber']).toBe('102');
  expect(rejection(await user.get('/account/~/extension/999'))).toBe('404 CMN-102');
  const numbers = await user.get('/account/~/extension/~/phone-number');
  const [number] = numbers.body.records;
  const { uri } = (number?.['country'] ?? {}) as { uri?: string };
  const countries = await user.get('/dictionary/country');
  expect((await user.get(pathOf(uri))).body).toEqual(countries.body.records[0]);
  expect(rejection(await user.get('/dictionary/country/9999'))).toBe('404 CMN-102');
});

test('spec:ERROR-1 a card at fault is named by its own member', async () => {
  await using sandbox = await startSandbox({ listen: false });
  const user = await userClient(sandbox, '102');
  const { uri } = (await user.post('/chat/groups/3301/webhooks')).body;
  const named = async (attachment: object) => {
    const json = { attachments: [{ type: 'Card', text: 'good' }, attachment] };
    const answer = await send(sandbox, 'POST', new URL(uri).pathname, { json });
    return `${rejection(answer)} ${String(answer.body['parameterName'])}`;
  };
  expect(await named({ type: 'Card', ts: 'soon' })).toBe('400 CMN-101 attachments[1].ts');
  expect(await named({ type: 'Card', fields: [{ title: 'x' }] })).toBe(
    '400 CMN-101 attachments[1].fields[0].value',
  );
  expect(await named({ text: 'no type' })).toBe('400 CMN-101 attachments[1]');
});

test('a lifetime that begins now has all its seconds, even while time passes', async () => {
  await using sandbox = await startSandbox({ listen: false, clock: '1000x' });
  const user = await userClient(sandbox, '102');
  const { body } = await user.post('/subscription', {
    eventFilters: ['/restapi/v1.0/account/~/extension/~/message-store'],
    deliveryMode: { transportType: 'ChannelService' },
    expiresIn: 604_800,
  });
  expect(body['expiresIn']).toBe(604_800);
});

test.each([
  ['an invalid Host', 'GET /restapi/v1.0/subscription HTTP/1.1\r\nHost: a b', '400', 'CMN-407'],
  ['an empty Host', 'GET /restapi/v1.0/subscription HTTP/1.1\r\nHost:', '400', 'CMN-407'],
  ['no Host', 'GET /restapi/v1.0/subscription HTTP/1.1\r\nX: y', '400', 'CMN-407'],
  ['an invalid port', 'GET / HTTP/1.1\r\nHost: a:99999', '400', 'CMN-407'],
  ['OPTIONS *', 'OPTIONS * HTTP/1.1\r\nHost: a', '404', 'AGW-404'],
  ['a path with a backslash', 'GET /a\\b HTTP/1.1\r\nHost: a', '400', 'CMN-104'],
])('%s gets the error of the service', async (_name, head, status, code) => {
  await using sandbox = await startSandbox();
  const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1');
  socket.write(`${head}\r\nConnection: close\r\n\r\n`);
  const reply = await text(socket);
  expect(reply).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(reply).toMatch(/content-type: application\/json/i);
  expect(reply).toContain(`"errorCode":"${code}"`);
});
