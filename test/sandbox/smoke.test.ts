import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { signInAs } from '../support/sandbox.ts';

test('a text is sent, delivered and received', async () => {
  await using sandbox = await startSandbox({ listen: false });
  const token = await signInAs(sandbox, '102');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await sandbox.fetch(
    new Request(`${sandbox.url}/restapi/v1.0/account/~/extension/~/sms`, {
      method: 'POST',
      headers,
      body: JSON.stringify({
        from: { phoneNumber: '+16505550112' },
        to: [{ phoneNumber: '+16505550113' }],
        text: 'hello',
        surplus: { a: 1 },
      }),
    }),
  );
  expect(await response.text()).toMatch(/"conversationId":8\d{18},/);
  expect(response.status).toBe(200);
  expect(await sandbox.clock.advance(5000)).toHaveLength(2);
  expect(sandbox.messages().map(({ messageStatus }) => messageStatus)).toEqual(['Delivered', 'Received']);
  expect(sandbox.requestLog().at(-1)?.unread).toEqual(['surplus']);
});
