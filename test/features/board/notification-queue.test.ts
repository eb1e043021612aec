import { expect, it, onTestFinished, vi } from 'vitest';
import type { Notification } from '../../../src/contract/subscription.ts';
import { NotificationQueue } from '../../../src/features/board/notification-queue.ts';

/** Number of keys that the queue stores for removing duplicates. */
const rememberedKeys = 100_000;

function push(queue: NotificationQueue, key: number): void {
  queue.push({ key: String(key), notification: { uuid: String(key), event: '/x' } as Notification });
}

/** Returns a queue that has received notifications with the keys 1 to `count`, and its reader. */
async function readQueue(count: number) {
  const queue = new NotificationQueue();
  const reader = queue.read();
  for (let key = 1; key <= count; key += 1) {
    push(queue, key);
    await reader.next();
  }
  return { queue, reader };
}

it('removes the duplicates of the last notifications, and forgets the oldest first', async () => {
  const { queue, reader } = await readQueue(rememberedKeys + 2);
  for (const key of [3, rememberedKeys + 2, 2, 3, 4]) push(queue, key);
  const read = [(await reader.next()).value, (await reader.next()).value];
  // The key 2 was forgotten. Its notification replaces the key 3.
  expect(read).toMatchObject([{ uuid: '2' }, { uuid: '3' }]);
});

it('does not search the oldest key from the start for each notification', async () => {
  const { queue } = await readQueue(rememberedKeys);
  const iterators = [vi.spyOn(Set.prototype, Symbol.iterator), vi.spyOn(Set.prototype, 'values')];
  onTestFinished(() => {
    for (const spy of iterators) spy.mockRestore();
  });
  // Creating a spy also iterates a set.
  for (const spy of iterators) spy.mockClear();
  for (let key = 1; key <= 100; key += 1) push(queue, rememberedKeys + key);
  expect(iterators.map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
});
