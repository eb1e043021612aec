import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ClientClosedError, createClient, type OwnedClient } from '../../src/client/index.ts';
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
