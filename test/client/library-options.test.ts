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

it.each(['current', 'spec'] as const)('a client accepts the name of dialect %s', async (dialect) => {
  await using sandbox = await startSandbox({ dialect });
  await using client = createClient({
    baseUrl: sandbox.url,
    token: await signInAs(sandbox, '100'),
    dialect,
  });
  const call = await client.ringOuts.start({ to: { phoneNumber: '+14155550199' } });
  expect(call.id).toBeDefined();
});

it.each(['today', 'constructor', {}, null])('%j is not a dialect', (dialect) => {
  const options = { baseUrl: 'http://127.0.0.1:9', token: 'token', dialect };
  expect(() => createClient(options as ClientOptions)).toThrow(
    new TypeError("dialect must be 'spec', 'current', or an object with the members of dialects.spec"),
  );
});
