import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { rejection, userClient } from '../request.ts';

test('spec:SANDBOX-21 requests of one moment share a commit; one that is rejected is undone alone, and ids stay in sequence', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ucctl-group-'));
  try {
    const database = join(folder, 'office.db');
    const first = await startSandbox({ listen: false, database });
    const user = await userClient(first, '102');
    const post = (text: string) =>
      user.post('/account/~/extension/~/sms', {
        from: { phoneNumber: '+16505550112' },
        to: [{ phoneNumber: '+14155550123' }],
        text,
      });
    const answers = await Promise.all(['one', '', 'two', 'x'.repeat(1001), 'three'].map(post));
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 200, 400, 200]);
    expect(answers.filter(({ status }) => status === 400).map(rejection)).toEqual([
      '400 CMN-101',
      '400 CMN-101',
    ]);
    await first.crash();
    await using second = await startSandbox({ listen: false, database });
    const stored = second.messages();
    expect(stored.map(({ subject }) => subject)).toEqual(['one', 'two', 'three']);
    expect(stored.map(({ id }) => id)).toEqual([0, 2, 4].map((index) => answers[index]?.body.id));
    const [a = 0, b = 0, c = 0] = stored.map(({ id }) => id);
    expect([b - a, c - b]).toEqual([1, 1]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
