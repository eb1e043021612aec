import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  ClientClosedError,
  createClient,
  type ClientOptions,
  type OwnedClient,
} from '../../src/client/index.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { signInAs } from '../support/sandbox.ts';

it('a client reads from a sandbox with TLS if it trusts its authority', async () => {
  await using sandbox = await startSandbox({ tls: true });
  const ca = [readFileSync(sandbox.ready.ca ?? '', 'utf8')];
  await using client = createClient({ baseUrl: sandbox.url, token: await signInAs(sandbox, '100'), ca });
  expect(await client.extensions.get('~')).toMatchObject({ extensionNumber: '100' });
});

it('the end of its block closes a client', async () => {
  let escaped: OwnedClient | undefined;
  {
    await using client = createClient({ baseUrl: 'http://127.0.0.1:9', token: 'token' });
    escaped = client;
  }
  await expect(escaped.presence.get('~')).rejects.toThrow(ClientClosedError);
});

it.each([
  ['timeoutMilliseconds', '5000', 'timeoutMilliseconds must be a number'],
  ['retries', '4', 'retries must be a number'],
  ['connections', null, 'connections must be a number'],
  ['userAgent', 5, 'userAgent must be a string'],
  ['language', 5, 'language must be a string'],
])('an option of the wrong type is a TypeError: %s', (name, value, message) => {
  const options = { baseUrl: 'http://127.0.0.1:9', token: 'token', [name]: value };
  expect(() => createClient(options as ClientOptions)).toThrow(new TypeError(message));
});
