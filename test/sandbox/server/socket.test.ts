import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { signInAs } from '../../support/sandbox.ts';
import { conditionLimit } from '../../support/limits.ts';
import { startWebhook } from '../webhook.ts';
import { eventually } from '../../support/eventually.ts';

test('over a real socket: a subscription, a text, its notification', async () => {
  await using webhook = await startWebhook();
  await using sandbox = await startSandbox({
    clock: 'real',
    settings: {
      smsSentMilliseconds: 1,
      smsDeliveredMilliseconds: 2,
      webhookTimeoutMilliseconds: conditionLimit,
    },
  });
  const token = await signInAs(sandbox, '102');
  const post = (path: string, json: unknown) =>
    fetch(sandbox.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(json),
    });
  const deliveryMode = { transportType: 'WebHook', address: webhook.address };
  const eventFilters = ['/restapi/v1.0/account/~/extension/~/message-store?type=SMS'];
  const subscription = await post('/restapi/v1.0/subscription', { eventFilters, deliveryMode });
  expect(subscription.status).toBe(200);
  const sent = await post('/restapi/v1.0/account/~/extension/~/sms', {
    from: { phoneNumber: '+16505550112' },
    to: [{ phoneNumber: '+16505550160' }],
    text: 'over the wire',
  });
  expect(await sent.text()).toContain(`"uri":"${sandbox.url}/restapi/v1.0/account/`);
  await eventually(() => expect(webhook.notifications().length).toBe(3));
  expect(sandbox.messages()[0]?.messageStatus).toBe('Delivered');
});

test('spec:BASE-23 over a real socket: every reply names its language', async () => {
  await using sandbox = await startSandbox();
  const headers = { authorization: `Bearer ${await signInAs(sandbox, '102')}`, 'accept-language': 'de' };
  const languageOf = async (path: string) =>
    (await fetch(sandbox.url + path, { headers })).headers.get('content-language');
  expect(await languageOf('/restapi/v1.0/dictionary/country')).toBe('de-DE');
  for (const path of ['/account/~/extension', '/account/~/extension/~/presence', '/account/1/extension']) {
    expect(await languageOf(`/restapi/v1.0${path}`)).toBe('en-US');
  }
});

test('over a real socket: a long reply with characters of several bytes', async () => {
  await using sandbox = await startSandbox({ rateLimits: 'off' });
  const headers = { authorization: `Bearer ${await signInAs(sandbox, '102')}` };
  const address = `${sandbox.url}/restapi/v1.0/account/~/extension/~`;
  const words = 'é€😀'.repeat(200);
  const send = () =>
    fetch(`${address}/sms`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({
        from: { phoneNumber: '+16505550112' },
        to: [{ phoneNumber: '+16505550160' }],
        text: words,
      }),
    });
  const texts = await Promise.all(Array.from({ length: 90 }, send));
  expect(texts.every(({ ok }) => ok)).toBe(true);
  const reply = await fetch(`${address}/message-store?perPage=90&messageType=SMS&direction=Outbound`, {
    headers,
  });
  const bytes = Buffer.from(await reply.arrayBuffer());
  const body = bytes.toString();
  expect(body.length).toBeGreaterThan(65_536);
  expect(Number(reply.headers.get('content-length'))).toBe(bytes.length);
  expect(reply.headers.get('content-type')).toBe('application/json;charset=UTF-8');
  expect((JSON.parse(body) as { records: { subject: string }[] }).records.at(-1)?.subject).toBe(words);
});

test('two Host headers are rejected', async () => {
  await using sandbox = await startSandbox();
  const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1');
  socket.write('GET /restapi/v1.0/subscription HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n');
  const reply = await text(socket);
  expect(reply).toMatch(/^HTTP\/1\.1 400 /);
});

test.each([
  ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: a\r\n\r\n', /^HTTP\/1\.1 404 [^]*AGW-404/],
  [
    'an expectation that nobody knows',
    'POST /restapi/oauth/token HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\nContent-Length: 2\r\n\r\n{}',
    /^HTTP\/1\.1 417 [^]*CMN-407/,
  ],
  ['no HTTP', 'hello\r\n\r\n', /^HTTP\/1\.1 400 [^]*CMN-104/],
])('spec:SANDBOX-4 %s gets an error of the service', async (_name, request, expected) => {
  await using sandbox = await startSandbox();
  const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1');
  socket.write(request);
  expect(await text(socket)).toMatch(expected);
});

test('a taken port is an error', async () => {
  await using sandbox = await startSandbox();
  const port = Number(new URL(sandbox.url).port);
  await expect(startSandbox({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
