import { expect, it, onTestFinished } from 'vitest';
import { Dispatcher } from '../../../../src/features/live/deliver/dispatcher.ts';
import { Inbox, readNotification } from '../../../../src/features/live/index.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

it('a fault of ours in handing on ends it, and is not tried again as a full disk is', async () => {
  const inbox = Inbox.open(temporaryFolder(), 'work', () => 0);
  onTestFinished(() => inbox.close());
  const event = readNotification(JSON.stringify({ uuid: 'one', event: '/x' }));
  if (event) await inbox.accept(event, 'a', 'webhook');
  const fault = new TypeError('a fault of ours');
  const told: unknown[] = [];
  const end = new AbortController();
  const dispatcher = new Dispatcher({
    inbox,
    receiver: 'a',
    targets: [{ name: 'one', accepts: () => true, send: () => Promise.resolve() }],
    wanted: () => true,
    keys: () => [],
    now: () => {
      throw fault;
    },
    sleep: () => {
      end.abort();
      return Promise.resolve();
    },
    onDead: () => undefined,
    onProblem: () => undefined,
    onRecovered: () => undefined,
    onUnwritten: (error) => void told.push(error),
    onFailure: (error) => void told.push(error),
  });
  await expect(dispatcher.run(end.signal)).rejects.toBe(fault);
  expect(told).toEqual([]);
  expect(await dispatcher.close(0, false)).toBe(0);
});
