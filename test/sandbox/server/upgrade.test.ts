import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { once } from 'node:events';
import type { Sandbox } from '../../../src/sandbox/index.ts';
import { signInAs } from '../../support/sandbox.ts';
import { socketUser, startCurrent } from '../sockets/client.ts';

const offer = [
  'Connection: Upgrade, HTTP2-Settings',
  'Upgrade: h2c',
  'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA',
];

function raw(sandbox: Sandbox) {
  const { port, protocol } = new URL(sandbox.url);
  return protocol === 'https:'
    ? connectTls({ port: Number(port), host: '127.0.0.1', ca: readFileSync(sandbox.ready.ca ?? '') })
    : connect(Number(port), '127.0.0.1');
}

/** The status line of an upgrade to a WebSocket with these headers. */
async function statusOf(sandbox: Sandbox, path: string, headers: Readonly<Record<string, string>>) {
  const socket = raw(sandbox);
  const all = {
    Host: new URL(sandbox.url).host,
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  socket.write([`GET ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
  const [first] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return first.toString().split(' ', 2)[1];
}

const path = '/restapi/v1.0/subscription';

test.each([
  ['the address of the service', path, {}, '101'],
  ['the same with a slash and a query', `${path}/?a=b`, {}, '101'],
  ['the name localhost', path, { Host: 'localhost:1' }, '101'],
  ['another host name', path, { Host: 'rebound.example.com' }, '421'],
  ['no valid host name', path, { Host: 'a b' }, '421'],
  ['a page of the registered browser app', path, { Origin: 'http://127.0.0.1:8912' }, '101'],
  ['another page', path, { Origin: 'https://example.com' }, '403'],
  ['a page without an origin', path, { Origin: 'null' }, '403'],
  ['another path', '/restapi/v1.0/account/~', {}, '404'],
  ['a target without a path', '*', {}, '404'],
  ['an old version of the protocol', path, { 'Sec-WebSocket-Version': '5' }, '400'],
])('spec:SOCKET-2 upgrade for %s: %s %o %s', async (_name, target, headers, status) => {
  const sandbox = await startCurrent({ redirectUris: ['http://127.0.0.1:8912/callback'] });
  expect(await statusOf(sandbox, target, headers)).toBe(status);
});

test('the request log contains upgrades, without tokens', async () => {
  const sandbox = await startCurrent();
  await statusOf(sandbox, `${path}?access_token=secret&wsc=secret`, {});
  await statusOf(sandbox, '/nowhere', {});
  await statusOf(sandbox, `${sandbox.url}/nowhere?token=secret`, {});
  await statusOf(sandbox, '*?secret', {});
  expect(sandbox.requestLog()).toMatchObject([
    { method: 'GET', path: `${path}?access_token=***&wsc=***`, status: 101 },
    {
      method: 'GET',
      path: '/nowhere',
      status: 404,
      errorCode: 'AGW-404',
      errorMessage: 'Resource not found',
    },
    { method: 'GET', path: '/nowhere?token=***', status: 404 },
    { method: 'GET', path: '*', status: 404 },
  ]);
  expect(sandbox.requestLog()[0]?.errorCode).toBeUndefined();
  expect(JSON.stringify(sandbox.requestLog())).not.toContain('secret');
});

test('spec:SOCKET-2 the host of the public URL is known, and other hosts are not', async () => {
  const sandbox = await startCurrent({ publicUrl: 'http://Sandbox.test:8080' });
  expect(await statusOf(sandbox, path, { Host: 'sandbox.test:8080' })).toBe('101');
  expect(await statusOf(sandbox, path, { Host: 'rebound.example.com' })).toBe('421');
});

test('dialect spec has no WebSocket: the upgrade is an ordinary request', async () => {
  const sandbox = await startCurrent({ dialect: 'spec' });
  expect(await statusOf(sandbox, path, {})).toBe('401');
});

test.each([false, true])('an offer of HTTP/2 is served over HTTP/1.1, with TLS %s', async (tls) => {
  const sandbox = await startCurrent({ tls });
  const token = await signInAs(sandbox, '102');
  const body = JSON.stringify({ message: 'hello \u{1F4DE}' });
  const socket = raw(sandbox);
  const target = '/restapi/v1.0/account/~/extension/~/presence';
  const head = (method: string, more: readonly string[]) =>
    [
      `${method} ${target} HTTP/1.1`,
      'Host: 127.0.0.1',
      `Authorization: Bearer ${token}`,
      ...more,
      '',
      '',
    ].join('\r\n');
  // A GET, then a PUT whose body arrives in two packets, then a chunked PUT on the same connection.
  const bytes = Buffer.from(body);
  socket.write(head('GET', offer));
  await once(socket, 'data');
  const json = 'Content-Type: application/json';
  socket.write(head('PUT', [...offer, json, `Content-Length: ${bytes.length}`]));
  socket.write(bytes.subarray(0, 5));
  await new Promise((resolve) => setImmediate(resolve));
  socket.write(bytes.subarray(5));
  const [second] = (await once(socket, 'data')) as [Buffer];
  expect(second.toString()).toMatch(/^HTTP\/1\.1 200 [^]*hello/);
  const chunked = head('PUT', [
    'Connection: close, Upgrade',
    'Upgrade: h2c',
    json,
    'Transfer-Encoding: chunked',
  ]);
  socket.end(`${chunked}${bytes.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 [^]*hello/);
});

test('a WebSocket over TLS', async () => {
  const sandbox = await startCurrent({ tls: true });
  const { uri, token } = await (await socketUser(sandbox)).socketToken();
  expect(uri).toMatch(/^wss:/);
  const socket = new WebSocket(`${uri}?access_token=${token}`, { ca: readFileSync(sandbox.ready.ca ?? '') });
  const [data] = (await once(socket, 'message')) as [Buffer];
  expect(data.toString()).toContain('ConnectionDetails');
  socket.terminate();
});

test('a stop of the sandbox does not wait for a client that never closes', async () => {
  const sandbox = await startCurrent();
  const socket = raw(sandbox);
  const { host } = new URL(sandbox.url);
  socket.write(`GET /nowhere HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
  await once(socket, 'data');
  const other = raw(sandbox);
  const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
  other.write(
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${key}\r\n\r\n`,
  );
  await once(other, 'data');
  await expect(sandbox.close()).resolves.toBeUndefined();
  socket.destroy();
  other.destroy();
});
