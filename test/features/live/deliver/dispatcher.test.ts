import { expect, it, onTestFinished } from 'vitest';
import { Dispatcher } from '../../../../src/features/live/deliver/dispatcher.ts';
import { Inbox, readNotification } from '../../../../src/features/live/index.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

it('a bug ends the delivery and is not retried like a full disk', async () => {
  const inbox = Inbox.open(temporaryFolder(), 'work', () => 0);
  onTestFinished(() => inbox.close());
  const event = readNotification(JSON.stringify({ uuid: 'one', event: '/x' }));
  if (event) await inbox.accept(event, 'a', 'webhook');
  const bug = new TypeError('a bug');
  const reported: unknown[] = [];
  const end = new AbortController();
  const dispatcher = new Dispatcher({
    inbox,
    receiver: 'a',
    targets: [{ name: 'one', accepts: () => true, send: () => Promise.resolve() }],
    wanted: () => true,
    keys: () => [],
    now: () => {
      throw bug;
    },
    sleep: () => {
      end.abort();
      return Promise.resolve();
    },
    onDead: () => undefined,
    onProblem: () => undefined,
    onRecovered: () => undefined,
    onStoreFailure: (error) => void reported.push(error),
    onFailure: (error) => void reported.push(error),
  });
  await expect(dispatcher.run(end.signal)).rejects.toBe(bug);
  expect(reported).toEqual([]);
  expect(await dispatcher.close(0, false)).toBe(0);
});
