import { expect, it } from 'vitest';
import { NotificationQueue } from '../../../src/features/board/notification-queue.ts';
import type { BoardRow } from '../../../src/features/board/board.rows.ts';
import { boardView } from '../../../src/features/board/view.ts';
import type { Notification } from '../../../src/contract/subscription.ts';
import { boardOfAda } from './board-of-ada.ts';

const now = Date.UTC(2026, 0, 5, 12);

/** Returns the rows of a board after these events and one that says that Ada is busy, and the lines for people. */
async function boardAfter(
  bodies: readonly unknown[],
): Promise<{ readonly row: BoardRow | undefined; readonly lines: readonly string[] }> {
  const stop = new AbortController();
  const notifications = new NotificationQueue();
  const screens = boardOfAda({ notifications, now: () => now, signal: stop.signal });
  const view = boardView({ format: 'table' }, () => now);
  const lines: string[] = [];
  let isSent = false;
  try {
    for await (const { rows, changed = [] } of screens) {
      lines.push(...changed.flatMap((row) => view.line?.(row, 'UTC', 200) ?? []));
      if (!isSent)
        for (const [index, body] of [...bodies, busy].entries()) notifications.push(eventWith(body, index));
      isSent = true;
      if (rows[0]?.presenceStatus === 'Busy') return { row: rows[0], lines };
    }
  } finally {
    notifications.close();
    stop.abort();
  }
  throw new Error('the board ended');
}

const busy = { extensionId: '7', presenceStatus: 'Busy', telephonyStatus: 'NoCall', activeCalls: [] };

function eventWith(body: unknown, index: number) {
  const notification = { uuid: String(index), event: '/x', timestamp: '', body } as unknown as Notification;
  return { key: String(index), notification };
}

const ringing = { extensionId: 7, presenceStatus: 'Available', telephonyStatus: 'Ringing' };

it.each([
  ['no object', 'text'],
  ['a list of extensions with null', { extensions: [null] }],
  ['an object in place of the list of extensions', { extensions: { hints: ['CallQueueMembersChange'] } }],
  ['an object in place of the list of hints', { extensions: [{ hints: {} }] }],
  ['a list of calls with null', { ...ringing, activeCalls: [null] }],
  [
    'a call with numbers as members',
    { ...ringing, activeCalls: [{ telephonyStatus: 'Ringing', from: 101, to: {} }] },
  ],
  [
    'objects and lists in place of texts',
    { ...ringing, telephonyStatus: {}, presenceStatus: ['Available'], message: { a: 1 } },
  ],
])('a board continues after an event with %s', async (_what, body) => {
  const { row } = await boardAfter([body]);
  expect(row).toMatchObject({ state: 'busy', presenceStatus: 'Busy' });
});

it('a board shows the number of a call also if the service sends it as a number', async () => {
  const { lines } = await boardAfter([
    { ...ringing, activeCalls: [null, { telephonyStatus: 'Ringing', direction: 'Inbound', from: 101 }] },
  ]);
  expect(lines).toContainEqual(expect.stringContaining('Ada: ringing, from 101'));
});
