import { expect, it, onTestFinished } from 'vitest';
import { Inbox, readNotification, shownEvent, type Received } from '../../../../src/features/live/index.ts';
import { RecentNotifications } from '../../../../src/features/live/store/recent-notifications.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

function opened(folder = temporaryFolder()): Inbox {
  const inbox = Inbox.open(folder, 'work', () => 0);
  onTestFinished(() => inbox.close());
  return inbox;
}

function received(uuid: string): Received {
  const one = readNotification(JSON.stringify({ uuid, event: '/x', body: { text: uuid } }));
  if (!one) throw new Error('no notification');
  return one;
}

it('every reader gets the notification that was parsed when it arrived', async () => {
  const inbox = opened();
  const one = received('one');
  await inbox.accept(one, 'a', 'webhook');
  const [output] = inbox.after('a', 0);
  const [target] = inbox.byId(1);
  expect(output && shownEvent(output)).toBe(one.notification);
  expect(target && shownEvent(target)).toBe(one.notification);
});

it('an event of an earlier run is parsed from its text, once', async () => {
  const folder = temporaryFolder();
  await opened(folder).accept(received('one'), 'a', 'webhook');
  const [stored] = opened(folder).after('a', 0);
  expect(stored?.notification()).toEqual(received('one').notification);
  expect(stored?.notification()).toBe(stored?.notification());
});

it('a duplicate notification is not mistaken for the next event', async () => {
  const inbox = opened();
  const texts = ['one', 'one', 'two'];
  await Promise.all(texts.map((uuid) => inbox.accept(received(uuid), 'a', 'webhook')));
  expect(inbox.after('a', 0).map((stored) => stored.notification()?.uuid)).toEqual(['one', 'two']);
});

it('memory is limited by text length; the oldest notifications are dropped first', () => {
  const recent = new RecentNotifications();
  const notification = { uuid: 'u', event: '/x', timestamp: 't' };
  for (const id of [1, 2, 3]) recent.add(id, notification, 200_000);
  expect([1, 2, 3].map((id) => recent.get(id) === notification)).toEqual([false, true, true]);
  recent.add(4, notification, 500_001);
  expect(recent.get(4)).toBeUndefined();
});

it('in a burst, only the first notifications are retained; the others are parsed from their text', async () => {
  const inbox = opened();
  const burst = Array.from({ length: 10 }, (_, index) => received(`uuid-${index}`));
  await Promise.all(burst.map((one) => inbox.accept(one, 'a', 'webhook')));
  const stored = inbox.after('a', 0);
  expect(stored.map((one) => one.notification())).toEqual(burst.map(({ notification }) => notification));
  expect(stored[0]?.notification()).toBe(burst[0]?.notification);
  expect(stored[9]?.notification()).not.toBe(burst[9]?.notification);
});
