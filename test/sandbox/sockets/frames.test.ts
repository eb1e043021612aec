import { connect, type Socket } from 'node:net';
import { constantFrom, json, jsonValue, oneof, record, sample, string, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { eventually } from '../../support/eventually.ts';
import { openSocket, socketUser, startCurrent, subscriptionPath } from './client.ts';

async function opened(settings = {}) {
  const sandbox = await startCurrent({ settings });
  const user = await socketUser(sandbox);
  return { sandbox, user, socket: await user.connect() };
}

const request = { type: 'ClientRequest', messageId: 'm', method: 'GET', path: subscriptionPath };

test.each([
  ['no JSON', 'hello', 'The message is not valid JSON'],
  ['an empty message', '', 'The message is not valid JSON'],
  ['an object', '{}', 'The message is not a JSON array of metadata and body'],
  ['an empty array', '[]', 'The message is not a JSON array of metadata and body'],
  ['metadata that is a text', '["Heartbeat"]', 'The metadata of the message is not an object'],
  ['no messageId', '[{"type":"Heartbeat"}]', 'The metadata has no messageId'],
  ['a messageId that is a number', '[{"type":"Heartbeat","messageId":7}]', 'The metadata has no messageId'],
  ['no type', '[{"messageId":"m"}]', 'The type [undefined] of the message is unknown'],
  [
    'a type of the server',
    '[{"type":"ServerNotification","messageId":"m"}]',
    'The type [ServerNotification] of the message is unknown',
  ],
  [
    'no method',
    JSON.stringify([{ ...request, method: undefined }]),
    'The member [method] of the metadata is invalid',
  ],
  [
    'a path that is a number',
    JSON.stringify([{ ...request, path: 1 }]),
    'The member [path] of the metadata is invalid',
  ],
  [
    'three members',
    JSON.stringify([request, {}, {}]),
    'The message contains more parts than the metadata and a body',
  ],
  ['more than 1 MiB', `["${'x'.repeat(1_048_576)}"]`, 'The message is larger than 1048576 bytes'],
  ['a binary message', Buffer.from('[]'), 'Binary messages are not supported'],
])('%s gets an error, and the connection stays open', async (_name, message, expected) => {
  const { socket } = await opened();
  socket.socket.send(message);
  const [error] = await socket.expect('Error', 1);
  expect(error).toMatchObject({ status: 400, body: { errorCode: 'WSG-901', message: expected } });
  expect(await socket.subscribe()).toMatchObject({ status: 200 });
});

test('an error has the messageId of its frame; a messageId works once', async () => {
  const { socket } = await opened();
  expect(await socket.request('POST', '', undefined, 'first')).toMatchObject({ status: 404 });
  socket.socket.send('[{"type":"Guess","messageId":"second"}]');
  expect(await socket.answer('second')).toMatchObject({ type: 'Error' });
  socket.socket.send(JSON.stringify([{ ...request, messageId: 'first' }]));
  const [, error] = await socket.expect('Error', 2);
  expect(error).toMatchObject({
    messageId: 'first',
    body: { message: 'The messageId [first] is not unique' },
  });
});

test('a frame before ConnectionDetails gets an error', async () => {
  const { user } = await opened();
  const { uri, token } = await user.socketToken();
  const { host, pathname } = new URL(uri);
  const socket = connect(Number(host.split(':')[1]), '127.0.0.1');
  const head = [
    `GET ${pathname}?access_token=${token} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ].join('\r\n');
  // The request and a frame in one packet. The mask of the frame is zero.
  const frame = Buffer.from('[{"type":"Heartbeat","messageId":"early"}]');
  const start = Buffer.from([0x81, 0x80 + frame.length, 0, 0, 0, 0]);
  socket.write(Buffer.concat([Buffer.from(`${head}\r\n\r\n`), start, frame]));
  let received = '';
  socket.on('data', (data: Buffer) => {
    received += data.toString('latin1');
  });
  await eventually(() =>
    expect(received).toMatch(/ConnectionDetails has not been sent[^]*"type":"ConnectionDetails"/),
  );
  socket.destroy();
});

test('invalid UTF-8, frames against RFC 6455 and very large messages end the connection only', async () => {
  const { user, socket } = await opened();
  const ended = async (act: (ws: WebSocket) => void): Promise<number> => {
    const victim = await user.connect();
    act(victim.socket);
    return (await victim.end()).code;
  };
  expect(await ended((ws) => ws.send(Buffer.from([0xff, 0xfe]), { binary: false }))).toBe(1007);
  expect(await ended((ws) => ws.send('x'.repeat(17 * 1_048_576)))).toBe(1009);
  const raw = (ws: WebSocket) => Reflect.get(ws, '_socket') as Socket;
  expect(await ended((ws) => raw(ws).write(Buffer.from([0xff, 0x80, 0, 0, 0, 0])))).toBe(1002);
  expect(await socket.subscribe()).toMatchObject({ status: 200 });
});

test('no text crashes the sandbox', async () => {
  const { sandbox, socket } = await opened({ webSocketActiveRequests: 1000 });
  const meta = record(
    {
      type: constantFrom('ClientRequest', 'Heartbeat', 'Error'),
      messageId: string(),
      method: constantFrom('GET', 'POST', 'PUT', 'DELETE', 'x'),
      path: constantFrom(subscriptionPath, `${subscriptionPath}/%`, `${subscriptionPath}/a/renew`, '', '//'),
    },
    { requiredKeys: [] },
  );
  const frame = oneof(
    json(),
    string(),
    tuple(meta, jsonValue()).map((value) => JSON.stringify(value)),
  );
  for (const text of sample(frame, { numRuns: 300, seed: 7 })) socket.socket.send(text);
  expect(await socket.subscribe()).toMatchObject({ status: 200 });
  expect(await sandbox.control('GET', '/status')).toBeDefined();
});

test('an address without a token gets an error frame', async () => {
  const { user } = await opened();
  const { uri } = await user.socketToken();
  const socket = await openSocket(`${uri}/?access_token=%`);
  expect(socket.frames[0]).toMatchObject({ type: 'Error', status: 401 });
});
