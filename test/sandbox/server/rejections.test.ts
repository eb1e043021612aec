import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts';

/** Sends bytes to a sandbox, and returns its reply. */
function exchange({ url }: Sandbox, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(bytes);
  return text(socket);
}

const path = '/restapi/v1.0/account/~?access_token=secret';

test.each([
  [
    'headers that are too large',
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nx-large: ${'x'.repeat(20_000)}\r\n\r\n`,
    { method: 'GET', path: '/restapi/v1.0/account/~?access_token=***', status: 431, errorCode: 'CMN-104' },
  ],
  [
    'a malformed header',
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nbad header\r\n\r\n`,
    { method: 'GET', path: '/restapi/v1.0/account/~?access_token=***', status: 400, errorCode: 'CMN-104' },
  ],
  ['bytes that are not HTTP', 'hello\r\n\r\n', { method: '', path: '', status: 400 }],
  [
    'an unknown expectation',
    `GET /x HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\n\r\n`,
    { method: 'GET', path: '/x', status: 417, errorCode: 'CMN-407' },
  ],
  [
    'CONNECT',
    'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n',
    { method: 'CONNECT', path: 'example.com:443', status: 404, errorCode: 'AGW-404' },
  ],
  [
    'an invalid Host header',
    `GET /x HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n`,
    {
      method: 'GET',
      path: '/x',
      status: 400,
      errorCode: 'CMN-407',
      errorMessage: 'Header [Host] is invalid',
    },
  ],
])('the request log has a request with %s', async (_what, bytes, logged) => {
  await using sandbox = await startSandbox();
  expect(await exchange(sandbox, bytes)).toContain(`HTTP/1.1 ${logged.status} `);
  expect(sandbox.requestLog()).toMatchObject([logged]);
});

test('the request log has a request that does not arrive in time', async () => {
  await using sandbox = await startSandbox({ requestMilliseconds: 30 });
  expect(await exchange(sandbox, 'GET /x HTTP/1.1\r\n')).toContain('HTTP/1.1 408 ');
  expect(sandbox.requestLog()).toMatchObject([{ status: 408, errorCode: 'CMN-104' }]);
});
