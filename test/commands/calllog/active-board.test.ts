import { expect, test } from 'vitest';
import { showActiveCalls } from '../../../src/commands/calllog/active.ts';
import type { CallLogRecord } from '../../../src/contract/call-log.ts';
import type { Context } from '../../../src/runtime/context.ts';
import type { BoardScreen, View } from '../../../src/runtime/output.ts';
import { eventually } from '../../support/eventually.ts';

/** A record of a call to the queue Support. */
function recordOf(id: string, sessionId: string, result: string | undefined): CallLogRecord {
  return { id, sessionId, startTime: '', direction: 'Inbound', type: 'Voice', result } as CallLogRecord;
}

/** Returns the first screen of the board of these calls, and its results. */
async function firstScreen(calls: readonly CallLogRecord[], zone?: string) {
  const stop = new AbortController();
  const seen: { screen?: BoardScreen<CallLogRecord>; results?: readonly unknown[] } = {};
  const ctx = {
    signal: stop.signal,
    now: () => Date.UTC(2026, 0, 5, 12),
    sleep: () => Promise.reject(new Error('over')),
    api: () => Promise.resolve({ callLog: { active: () => Promise.resolve(calls) } }),
    out: {
      zone,
      async board(screens: AsyncIterable<BoardScreen<CallLogRecord>>, view: View<CallLogRecord>) {
        const column = view.columns.find(({ key }) => key === 'result');
        for await (const screen of screens) {
          seen.screen = screen;
          seen.results = screen.rows.map((row) => (column?.shown ?? column?.value)?.(row));
        }
      },
    },
  };
  await showActiveCalls(ctx as unknown as Context, { direction: [], type: [], interval: 60, watch: true });
  return seen;
}

test('the board of active calls counts calls in progress and ended calls, each call once', async () => {
  const { screen, results } = await firstScreen([
    recordOf('1', '10', 'In Progress'),
    recordOf('2', '10', 'Missed'),
    recordOf('3', '11', 'Accepted'),
    recordOf('4', '11', 'Missed'),
    recordOf('5', '12', 'Accepted'),
    recordOf('6', '13', undefined),
  ]);
  expect(screen).toMatchObject({
    title: 'Active calls  2 in progress, 2 ended',
    footer: 'refreshed every 60 s · 12:00:00 UTC',
    notes: [{ text: 'ringing calls are not included; ended calls stay for about 120 s' }],
  });
  const ended = ['ended: Missed', 'ended: Accepted', 'ended: Missed', 'ended: Accepted'];
  expect(results).toEqual(['In Progress', ...ended, undefined]);
});

test('the footer of the board shows the time in the selected zone', async () => {
  const { screen } = await firstScreen([], 'Asia/Tokyo');
  expect(screen).toMatchObject({ footer: 'refreshed every 60 s · 21:00:00' });
});

test('the board without calls has no note below its rows', async () => {
  const { screen } = await firstScreen([]);
  expect(screen).toMatchObject({ title: 'Active calls  0 in progress, 0 ended', notes: [] });
});

test('quitting the board aborts the pending request', async () => {
  const signals: AbortSignal[] = [];
  const ctx = {
    signal: new AbortController().signal,
    now: () => Date.UTC(2026, 0, 5, 12),
    sleep: () => Promise.resolve(),
    api: () =>
      Promise.resolve({
        callLog: {
          active(_scope: unknown, _filter: unknown, { signal }: { readonly signal: AbortSignal }) {
            signals.push(signal);
            return signals.length === 1 ? Promise.resolve([]) : new Promise(() => undefined);
          },
        },
      }),
    out: {
      async board(screens: AsyncIterable<BoardScreen<CallLogRecord>>) {
        const source = screens[Symbol.asyncIterator]();
        await source.next();
        void source.next();
        await eventually(() => expect(signals).toHaveLength(2));
        return true;
      },
    },
  };
  await showActiveCalls(ctx as unknown as Context, { direction: [], type: [], interval: 60, watch: true });
  expect(signals[1]?.aborted).toBe(true);
});
