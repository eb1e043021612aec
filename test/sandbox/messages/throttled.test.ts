import { expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { rejection, userClient } from '../request.ts';

test('spec:SANDBOX-8, RATE-6, RATE-8 a magic number throttles: 429 with Retry-After', async () => {
  await using sandbox = await startSandbox({ listen: false });
  const user = await userClient(sandbox, '102');
  const answer = await user.post('/account/~/extension/~/sms', {
    from: { phoneNumber: '+16505550112' },
    to: [{ phoneNumber: '+16505550193' }],
    text: 'Too fast',
  });
  expect([rejection(answer), answer.headers.get('retry-after')]).toEqual(['429 MSG-305', '5']);
});
