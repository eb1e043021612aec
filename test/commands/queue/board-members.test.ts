import { expect, onTestFinished, test } from 'vitest';
import { peopleMilliseconds } from '../../../src/features/board/members.ts';
import type { BoardPerson } from '../../../src/features/board/index.ts';
import { hintText, ucctl } from '../../../src/errors/hint.ts';
import { SignInRequiredError } from '../../../src/errors/service.ts';
import { NotificationQueue } from '../../../src/features/board/notification-queue.ts';
import type { BoardRow } from '../../../src/features/board/board.rows.ts';
import type { BoardParts } from '../../../src/features/board/parts.ts';
import { watchBoard } from '../../../src/features/board/watch.ts';
import type { BoardScreen } from '../../../src/runtime/output.ts';
import { eventually } from '../../support/eventually.ts';

const ada = { id: '7', extensionNumber: '102', name: 'Ada' };
const bob = { id: '8', extensionNumber: '103', name: 'Bob' };
const membersChange = { event: 'x', body: { extensions: [{ hints: ['CallQueueMembersChange'] }] } };

/** Replies to the reads of the people in turn; the last one repeats. */
type Replies = readonly (readonly BoardPerson[] | Error)[];

interface Options {
  readonly watched?: readonly BoardPerson[];
  /** Number of changes of the subscription that fail. */
  readonly failures?: number;
  readonly isPolling?: boolean;
  /** Returns whether the service replies to a read of the presence of a person. */
  readonly replies?: (id: string) => boolean;
  /** The error of a read without a reply. */
  readonly problem?: Error;
  readonly now?: () => number;
}

/** A board whose waits end with `pass`, its last screen, and the changes of its subscription. */
function boardOf(people: Replies, options: Options = {}) {
  const { watched = [], failures = 0, isPolling = false, replies = () => true } = options;
  const { now = () => Date.UTC(2026, 0, 5, 12), problem = new Error('connection refused') } = options;
  const waits: number[] = [];
  const stop = new AbortController();
  const notifications = new NotificationQueue();
  const [left, filters, sleepers] = [[...people], [] as string[][], [] as (() => void)[]];
  const [shown, records, problems] = [[] as string[][], [] as string[], [] as string[]];
  let [footer, title] = ['', ''];
  let failed = 0;
  const screens = watchBoard({
    api: {
      presence: {
        get: (id: string) =>
          replies(id) ? Promise.resolve({ presenceStatus: 'Available' }) : Promise.reject(problem),
      },
    } as unknown as BoardParts['api'],
    title: 'Support',
    people: () => {
      const reply = (left.length > 1 ? left.shift() : left[0]) ?? [];
      return reply instanceof Error ? Promise.reject(reply) : Promise.resolve(reply);
    },
    peopleRequests: 1,
    feed: isPolling
      ? undefined
      : {
          notifications: () => notifications.read(),
          watched,
          watch: (wanted) => {
            failed += 1;
            if (failed <= failures) return Promise.reject(new Error('no reply'));
            filters.push([...wanted]);
            return Promise.resolve();
          },
        },
    followsMembers: true,
    readsAccount: false,
    intervalSeconds: 10,
    now,
    sleep: (milliseconds) =>
      new Promise((resolve, reject) => {
        waits.push(milliseconds);
        const end = (): void => reject(new Error('over'));
        sleepers.push(() => {
          stop.signal.removeEventListener('abort', end);
          resolve();
        });
        stop.signal.addEventListener('abort', end);
        if (stop.signal.aborted) end();
      }),
    signal: stop.signal,
    onProblem: (text) => problems.push(hintText(text)),
    onOutdated: (reason) => problems.push(hintText(reason)),
    hintText,
  });
  const reading = (async () => {
    for await (const screen of screens as AsyncIterable<BoardScreen<BoardRow>>) {
      ({ footer, title } = screen);
      records.push(...screen.changed.map(({ name, state }) => `${name} ${state}`));
      shown.push(screen.rows.map(({ name, state }) => `${name} ${state}`));
    }
  })();
  onTestFinished(async () => {
    stop.abort();
    notifications.close();
    await reading;
  });
  const pass = (): void => {
    for (const wake of sleepers.splice(0)) wake();
  };
  const last = () => shown.at(-1) ?? [];
  const watchedIds = () => (filters.at(-1) ?? []).flatMap((one) => /extension\/(\d+)/.exec(one)?.[1] ?? []);
  return {
    notifications,
    pass,
    last,
    footer: () => footer,
    title: () => title,
    shown,
    records,
    problems,
    watchedIds,
    sleepers,
    waits,
  };
}

const push = (notifications: NotificationQueue, key: string): void =>
  notifications.push({ key, notification: membersChange as never });

test('the first agent of an empty queue is subscribed to', async () => {
  const board = boardOf([[], [ada]]);
  await eventually(() => expect(board.shown.length).toBeGreaterThan(0));
  push(board.notifications, '1');
  await eventually(() => expect(board.last()).toEqual(['Ada available']));
  expect(board.watchedIds()).toEqual(['7']);
});

test('an agent who joined while the subscription was created is subscribed to', async () => {
  const board = boardOf([[ada, bob]], { watched: [ada] });
  await eventually(() => expect(board.last()).toEqual(['Ada available', 'Bob available']));
  expect(board.watchedIds()).toEqual(['7', '8']);
});

test.each([false, true])('a removed agent has a record (polling: %s)', async (isPolling) => {
  const board = boardOf([[ada, bob], [bob]], { watched: [ada, bob], isPolling });
  await eventually(() => expect(board.last()).toEqual(['Ada available', 'Bob available']));
  push(board.notifications, '1');
  board.pass();
  await eventually(() => expect(board.last()).toEqual(['Bob available']));
  expect(board.records).toEqual(['Ada available', 'Bob available', 'Ada removed']);
});

test('a change of the subscription that failed is repeated', async () => {
  const board = boardOf([[ada], [ada, bob]], { watched: [ada], failures: 1 });
  await eventually(() => expect(board.last()).toEqual(['Ada available']));
  push(board.notifications, '1');
  await eventually(() => expect(board.last()).toEqual(['Ada available', 'Bob available']));
  expect(board.watchedIds()).toEqual([]);
  board.pass();
  await eventually(() => expect(board.watchedIds()).toEqual(['7', '8']));
});

test('a first read of the agents that failed is repeated', async () => {
  const board = boardOf([new Error('no reply'), [ada]], { watched: [ada] });
  await eventually(() => expect(board.sleepers.length).toBeGreaterThan(0));
  board.pass();
  await eventually(() => expect(board.last()).toEqual(['Ada available']));
});

test.each([false, true])('a new name is shown after 10 minutes (polling: %s)', async (isPolling) => {
  const noon = Date.UTC(2026, 0, 5, 12);
  let time = noon;
  const renamed = { ...ada, name: 'Ada King', extensionNumber: '110' };
  const board = boardOf([[ada], [renamed]], { watched: [ada], isPolling, now: () => time });
  await eventually(() => expect(board.last()).toEqual(['Ada available']));
  time = noon + peopleMilliseconds;
  await eventually(() => {
    board.pass();
    expect(board.last()).toEqual(['Ada King available']);
  });
  expect(board.records).toEqual(['Ada available', 'Ada King available']);
});

test.each([false, true])(
  'a read of the agents that fails again has one warning until it succeeds (polling: %s)',
  async (isPolling) => {
    const [outage, other] = [new Error('no reply'), new Error('forbidden')];
    const replies = [outage, outage, outage, other, [ada], outage, outage, [ada, bob]];
    const board = boardOf(replies, { watched: [ada, bob], isPolling });
    await eventually(() => {
      board.pass();
      if (board.last().length === 1) push(board.notifications, String(board.waits.length));
      expect(board.last()).toEqual(['Ada available', 'Bob available']);
    });
    expect(board.problems).toEqual(['no reply', 'forbidden', 'no reply']);
  },
);

test('a polling board retains its people if they cannot be read', async () => {
  const board = boardOf([[ada], new Error('no reply')], { isPolling: true });
  await eventually(() => expect(board.last()).toEqual(['Ada available']));
  const before = board.shown.length;
  board.pass();
  // Both sources wait again: the people were read, and the next screen shows the result.
  await eventually(() => expect(board.sleepers).toHaveLength(2));
  const afterRead = board.shown.length;
  board.pass();
  await eventually(() => expect(board.shown.length).toBeGreaterThan(afterRead));
  expect(board.shown.slice(before)).not.toContainEqual([]);
});

test.each([
  ['live', false],
  ['polling', true],
])(
  'footer and title of a board with source %s name an outage until the service replies again',
  async (source, isPolling) => {
    let isDown = false;
    const board = boardOf([[ada]], { watched: [ada], isPolling, replies: () => !isDown });
    const usual = `${source} · 12:00:00 UTC`;
    await eventually(() => expect([board.last(), board.footer()]).toEqual([['Ada available'], usual]));
    isDown = true;
    await eventually(() => {
      board.pass();
      expect(board.footer()).toBe('no reply from the service since 12:00:00, retrying · 12:00:00 UTC');
    });
    expect(board.title()).toBe('Support  not up to date: 1 available');
    isDown = false;
    await eventually(() => {
      board.pass();
      expect(board.footer()).toBe(usual);
    });
    expect(board.title()).toBe('Support  1 available');
  },
);

const noReply = 'the board is not up to date, because the service does not reply: connection refused';

test.each([false, true])(
  'a board that opens during an outage says so once, and shows everyone afterwards (polling: %s)',
  async (isPolling) => {
    let isDown = true;
    const watched = [ada, bob];
    const board = boardOf([watched], { watched, isPolling, replies: () => !isDown });
    await eventually(() => expect(board.problems).toContain(noReply));
    expect(board.last()).toEqual(['Ada unknown', 'Bob unknown']);
    isDown = false;
    await eventually(() => {
      board.pass();
      expect(board.last()).toEqual(['Ada available', 'Bob available']);
    });
    expect(board.problems.filter((text) => text === noReply)).toHaveLength(1);
  },
);

test.each([false, true])(
  'a board opens although the service does not reply to the read of one person (polling: %s)',
  async (isPolling) => {
    const watched = [ada, bob];
    const board = boardOf([watched], { watched, isPolling, replies: (id) => id !== ada.id });
    await eventually(() => expect(board.last()).toEqual(['Bob available', 'Ada unknown']));
    expect(board.problems).toEqual(['Ada: connection refused']);
  },
);

test.each([false, true])(
  'a board whose session has ended names the command that signs in again (polling: %s)',
  async (isPolling) => {
    let isSignedIn = true;
    const problem = new SignInRequiredError('expired', 'the session has ended', undefined, ucctl('login -x'));
    const replies = () => isSignedIn;
    const board = boardOf([[ada]], { watched: [ada], isPolling, replies, problem });
    await eventually(() => expect(board.last()).toEqual(['Ada available']));
    isSignedIn = false;
    await eventually(() => {
      board.pass();
      expect(board.footer()).toBe('signed out since 12:00:00: ucctl login -x · 12:00:00 UTC');
    });
    expect(board.problems.join('\n')).not.toContain('does not reply');
    expect(board.problems).toContainEqual(
      expect.stringContaining(
        'the session has ended; sign in again in another terminal: ucctl login -x; ucctl then continues',
      ),
    );
    isSignedIn = true;
    await eventually(() => {
      board.pass();
      expect(board.footer()).not.toContain('signed out');
    });
  },
);

test('a polling board waits no longer than its interval if the clock is set back during a round', async () => {
  const noon = Date.UTC(2026, 0, 5, 12);
  let isBack = false;
  const now = () => (isBack ? noon - 2 * 3_600_000 : noon);
  const replies = () => (isBack = true);
  const board = boardOf([[ada]], { isPolling: true, replies, now });
  await eventually(() => expect(board.last()).toEqual(['Ada available']));
  await eventually(() => expect(board.waits).toContain(10_000));
  expect(Math.max(...board.waits)).toBe(10_000);
});
