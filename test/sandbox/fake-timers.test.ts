import { afterEach, expect, it, vi } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { signInAs } from '../support/sandbox.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('answers requests and stops while a test has fake timers', async () => {
  vi.useFakeTimers();
  const sandbox = await startSandbox();
  const client = createClient({ baseUrl: sandbox.url, token: await signInAs(sandbox, '100') });
  const sent = await client.messages.sendSms({
    from: { phoneNumber: '+16505550110' },
    to: [{ phoneNumber: '+16505550112' }],
    text: 'Hello',
  });
  expect(await client.messages.get(sent.id)).toMatchObject({ id: sent.id });
  await client.close();
  await sandbox.close();
});
