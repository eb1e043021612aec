import { expect, it, onTestFinished } from 'vitest';
import { Inbox, readNotification } from '../../../../src/features/live/index.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const day = 86_400_000;

async function accept(inbox: Inbox, receiver: string, uuid: string): Promise<void> {
  const event = readNotification(JSON.stringify({ uuid, event: '/x' }));
  if (event) await inbox.accept(event, receiver, 'webhook');
}

/** Opens an inbox with events of the receiver `a`, which are shown and older than a month. */
async function inboxWith(...uuids: readonly string[]) {
  let now = 1_000_000;
  const inbox = Inbox.open(temporaryFolder(), 'work', () => now);
  onTestFinished(() => inbox.close());
  for (const uuid of uuids) await accept(inbox, 'a', uuid);
  inbox.cursor('a:output').move(inbox.last());
  now += 31 * day;
  await accept(inbox, 'b', 'new');
  now += day;
  const left = (): readonly string[] => {
    inbox.trim();
    return inbox.after('a', 0).map(({ key }) => key);
  };
  return { inbox, left };
}

it('deletes no event that a target has not accepted', async () => {
  const { inbox, left } = await inboxWith('pending', 'dead', 'done', 'unwanted');
  for (const [index, state] of (['pending', 'dead', 'done'] as const).entries()) {
    const delivery = inbox.deliveries.add(index + 1, 'target', '', 0);
    if (delivery) inbox.deliveries.save({ ...delivery, state });
  }
  expect(left()).toEqual(['pending', 'dead']);
});

it('deletes what it has stored about an event with the event', async () => {
  const { inbox, left } = await inboxWith('one');
  const delivery = inbox.deliveries.add(1, 'target', '', 0);
  if (delivery) inbox.deliveries.save({ ...delivery, state: 'done' });
  inbox.messages.set(1, []);
  expect(left()).toEqual([]);
  expect([inbox.deliveries.of(1), inbox.messages.of(1)]).toEqual([[], undefined]);
});

it('deletes no event that one of the readers has not processed', async () => {
  const { inbox, left } = await inboxWith('1', '2', '3');
  inbox.cursor('a:dispatch').move(1);
  expect(left()).toEqual(['2', '3']);
});
