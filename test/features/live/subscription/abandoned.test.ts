import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Context } from '../../../../src/runtime/context.ts';
import { hintText, type Hint } from '../../../../src/errors/hint.ts';
import { Inbox } from '../../../../src/features/live/index.ts';
import { deleteAbandoned } from '../../../../src/features/live/subscription/abandoned.ts';
import type { LifecycleSettings } from '../../../../src/features/live/subscription/session-subscription.ts';
import { abandonedReceivers } from '../../../../src/features/live/subscription/receiver-name.ts';
import { RecordedSubscription } from '../../../../src/features/live/subscription/recorded-id.ts';
import { openDatabase } from '../../../../src/platform/sqlite.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const address = 'https://hooks.example/hook/0123456789ABCDEFGHIJKL';
const other = 'https://hooks.example/hook/abcdefghijklmnopqrstuv';

const openIn = (folder: string): Inbox => Inbox.open(folder, 'default', () => 0);

function inboxIn(folder: string): Inbox {
  const inbox = openIn(folder);
  onTestFinished(() => inbox.close());
  return inbox;
}

/** A service with a subscription for each address. */
function service(all: Readonly<Record<string, string>>) {
  const left = new Map(Object.entries(all));
  const warnings: string[] = [];
  const subscriptions = {
    list: () =>
      Promise.resolve(
        [...left].map(([id, used]) => ({ id, deliveryMode: { transportType: 'WebHook', address: used } })),
      ),
    delete: (id: string) => Promise.resolve(left.delete(id)).then(() => undefined),
  };
  const warn = (text: Hint): void => void warnings.push(hintText(text));
  const start = (inbox: Inbox): Promise<void> =>
    deleteAbandoned({
      api: { subscriptions },
      ctx: { signal: new AbortController().signal, out: { warn } } as unknown as Context,
      recorded: new RecordedSubscription(inbox, 'board'),
      abandoned: () => abandonedReceivers(inbox, 'board'),
    } as unknown as LifecycleSettings);
  return { left, warnings, subscriptions, start };
}

it('deletes the subscription with the address of a killed run, and no other subscription', async () => {
  const inbox = inboxIn(temporaryFolder());
  inbox.recordedIds.setAddress('board-2', address);
  const { left, warnings, start } = service({ one: other, two: address });
  await start(inbox);
  expect([[...left.keys()], warnings, inbox.recordedIds.receivers()]).toEqual([['one'], [], []]);
});

it('deletes both subscriptions of a run that was killed while it replaced a subscription', async () => {
  const inbox = inboxIn(temporaryFolder());
  inbox.recordedIds.set('board', 'one');
  inbox.recordedIds.setAddress('board', address);
  const { left, start } = service({ one: other, two: address, three: other });
  await start(inbox);
  expect([...left.keys()]).toEqual(['three']);
});

it('deletes no subscription that another run has also recorded', async () => {
  const inbox = inboxIn(temporaryFolder());
  for (const receiver of ['board', 'board-2', 'board-3']) inbox.recordedIds.set(receiver, 'one');
  const running = inbox.lockReceiver('board-3');
  const { left, start } = service({ one: address });
  await start(inbox);
  expect([[...left.keys()], inbox.recordedIds.receivers()]).toEqual([['one'], ['board-3']]);
  running?.release();
  await start(inbox);
  expect([...left.keys()]).toEqual([]);
});

it('searches for no subscription if the ID was recorded after the address', async () => {
  const inbox = inboxIn(temporaryFolder());
  inbox.recordedIds.setAddress('board', address);
  inbox.recordedIds.set('board', 'one');
  const { left, subscriptions, start } = service({ one: address, two: address });
  subscriptions.list = () => Promise.reject(new Error('not needed'));
  await start(inbox);
  expect([...left.keys()]).toEqual(['two']);
});

it('keeps the address for the next run if the subscriptions cannot be listed', async () => {
  const inbox = inboxIn(temporaryFolder());
  inbox.recordedIds.setAddress('board-2', address);
  const { subscriptions, warnings, start } = service({});
  subscriptions.list = () => Promise.reject(new Error('no connection'));
  await start(inbox);
  expect(warnings).toEqual([expect.stringContaining('subscribe list')]);
  expect(warnings.join('')).not.toContain(address);
  expect(inbox.recordedIds.addressOf('board-2')).toBe(address);
});

it('reads the recorded IDs of an inbox of an earlier version, which has no addresses', () => {
  const folder = temporaryFolder();
  const before = openIn(folder);
  before.recordedIds.set('board', 'one');
  const db = openDatabase(join(folder, 'inbox', 'default.db'));
  db.exec('DROP TABLE requested');
  db.close();
  before.close();
  const { recordedIds } = inboxIn(folder);
  expect([recordedIds.of('board'), recordedIds.addressOf('board')]).toEqual(['one', undefined]);
  recordedIds.setAddress('board', address);
  expect(recordedIds.addressOf('board')).toBe(address);
});
