import { expect, it } from 'vitest';
import { retryErrors } from '../../../src/features/mirror/index.ts';
import type { Stream } from '../../../src/store/mailbox.ts';
import type { SyncProblem } from '../../../src/store/reply.ts';

it('does not request records of the unknown mailbox of earlier versions from the mailbox of the user', async () => {
  const owners = ['~', '171857102'];
  const problems = owners.map(
    (extensionId, index) =>
      ({ streamId: index, extensionId, messageId: '7', problem: 'no ID' }) as unknown as SyncProblem,
  );
  const requested: string[] = [];
  const lines = retryErrors(
    {
      problems: () => Promise.resolve(problems),
      streams: () =>
        Promise.resolve(owners.map((extensionId, streamId) => ({ extensionId, streamId }) as Stream)),
      settle: () => Promise.resolve('copied'),
    },
    (extensionId) => {
      requested.push(extensionId);
      return Promise.resolve('{}');
    },
    { onDelete: 'mark', now: 0 },
  );
  const found: string[] = [];
  for await (const { extensionId, status } of lines) found.push(`${extensionId} ${status}`);
  expect([found, requested]).toEqual([['171857102 copied'], ['171857102']]);
});
