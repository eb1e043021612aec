import { createCipheriv } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Client } from '../../../../src/client/index.ts';
import type { Subscription } from '../../../../src/contract/subscription.ts';
import { KeyFinder } from '../../../../src/features/live/notification/key-finder.ts';
import { readNotification } from '../../../../src/features/live/notification/notification.ts';

const address = 'https://hook.example/events';

function keyOf(number: number): string {
  return Buffer.alloc(16, number).toString('base64');
}

function encrypted(key: string): string {
  const cipher = createCipheriv('aes-128-ecb', Buffer.from(key, 'base64'), null);
  const text = JSON.stringify({ uuid: '1', event: '/presence' });
  return JSON.stringify(Buffer.concat([cipher.update(text), cipher.final()]).toString('base64'));
}

it('uses the keys of all subscriptions to the address, however many they are', async () => {
  const found = Array.from(
    { length: 12 },
    (_, number) => ({ deliveryMode: { address, encryptionKey: keyOf(number) } }) as unknown as Subscription,
  );
  const warnings: string[] = [];
  const finder = new KeyFinder({
    api: () =>
      Promise.resolve({
        subscriptions: { list: () => Promise.resolve(found) } as unknown as Client['subscriptions'],
      }),
    address: () => address,
    now: () => 0,
    signal: new AbortController().signal,
    warn: (text) => void warnings.push(text),
  });
  const received = readNotification(encrypted(keyOf(11)));
  if (!received) throw new Error('not a notification');
  expect((await finder.decrypt(received)).notification).toMatchObject({ uuid: '1' });
  expect(warnings).toEqual([]);
});
