import { expect, test } from 'vitest';
import { NotificationQueue } from '../../../src/features/board/notification-queue.ts';
import type { BoardRow } from '../../../src/features/board/board.rows.ts';
import type { BoardScreen } from '../../../src/runtime/output.ts';
import { boardOfAda } from './board-of-ada.ts';

const start = Date.UTC(2026, 0, 5, 12);

/** A board of one person with live events, and the states of this person in turn. */
function boardOf(states: readonly string[], notifications: NotificationQueue, stop: AbortSignal) {
  const left = [...states];
  let clock = start;
  return boardOfAda({
    notifications,
    presence: () => Promise.resolve({ presenceStatus: left.shift(), userStatus: 'Available' }),
    now: () => (clock += 1000),
    signal: stop,
  });
}

async function until(
  screens: AsyncIterable<BoardScreen<BoardRow>>,
  isLast: (screen: BoardScreen<BoardRow>) => boolean,
): Promise<BoardScreen<BoardRow>> {
  for await (const screen of screens) if (isLast(screen)) return screen;
  throw new Error('the board ended');
}

test('a board that missed events reads everyone again and says so', async () => {
  const stop = new AbortController();
  const notifications = new NotificationQueue();
  const screens = boardOf(['Available', 'Busy'], notifications, stop.signal);
  const open = { [Symbol.asyncIterator]: () => ({ next: () => screens.next() }) };
  const first = await until(open, ({ rows }) => rows[0]?.state === 'available');
  expect(first.footer).toMatch(/^live · 12:00:\d\d UTC$/);
  notifications.miss();
  const second = await until(open, ({ rows }) => rows[0]?.state !== 'available');
  expect(second.rows).toMatchObject([{ extensionNumber: '102', state: 'busy' }]);
  expect(second.footer).toMatch(/^live · 12:00:\d\d UTC · events missed, all read again at 12:00:\d\d$/);
  notifications.close();
  stop.abort();
  await screens.return();
});

test.each([
  [undefined, '12:00:00', '12:05:00', ' UTC'],
  ['Asia/Tokyo', '21:00:00', '21:05:00', ''],
])('the footer of a board in zone %s shows missed events for 5 minutes', async (zone, at, after, mark) => {
  const stop = new AbortController();
  const notifications = new NotificationQueue();
  let clock = start;
  const states = ['Available', 'Busy', 'Available'];
  const screens = boardOfAda({
    notifications,
    presence: () => Promise.resolve({ presenceStatus: states.shift(), userStatus: 'Available' }),
    now: () => clock,
    signal: stop.signal,
    ...(zone && { zone }),
  });
  const open = { [Symbol.asyncIterator]: () => ({ next: () => screens.next() }) };
  const isBusy = ({ rows }: BoardScreen<BoardRow>): boolean => rows[0]?.state === 'busy';
  await until(open, ({ rows }) => rows[0]?.state === 'available');
  notifications.miss();
  const missed = await until(open, isBusy);
  expect(missed.footer).toBe(`live · ${at}${mark} · events missed, all read again at ${at}`);
  clock += 300_000;
  notifications.push({
    key: '1',
    notification: {
      event: '/restapi/v1.0/account/1/extension/7/presence',
      body: { extensionId: '7', presenceStatus: 'Offline' },
    } as never,
  });
  const later = await until(open, (screen) => !isBusy(screen));
  expect(later.footer).toBe(`live · ${after}${mark}`);
  notifications.close();
  stop.abort();
  await screens.return();
});
