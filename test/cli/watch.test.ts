import { expect, it } from 'vitest';
import { watchCommand } from '../../src/cli/watch.ts';
import type { Context } from '../../src/runtime/context.ts';
import type { View } from '../../src/runtime/output.ts';
import { eventually } from '../support/eventually.ts';
import { nounWith } from '../support/example-noun.ts';
import { type RunOptions, runUcctl } from '../support/run-ucctl.ts';

interface Seat {
  readonly id: number;
  readonly name: string;
}
const view: View<Seat> = { columns: [{ key: 'name', title: 'Name', value: (seat) => seat.name }] };
const readings: readonly (readonly Seat[])[] = [
  [{ id: 1, name: 'Ada' }],
  [{ id: 1, name: 'Ada' }],
  [
    { id: 1, name: 'Ada' },
    { id: 2, name: 'Bob' },
  ],
  [{ id: 2, name: 'Eve' }],
];

/** Runs a command whose answer changes with each reading, until there is none left. */
async function watch(argv: string, options: RunOptions = {}) {
  const stop = new AbortController();
  const waits: number[] = [];
  let reading = 0;
  const nouns = nounWith(async (ctx) => {
    ctx.out.note('read');
    await ctx.out.list(readings[reading] ?? [], view);
    reading += 1;
  });
  const result = await runUcctl(argv, {
    nouns,
    signal: stop.signal,
    sleep: async (milliseconds, signal) => {
      waits.push(milliseconds);
      if (reading >= readings.length) stop.abort(new Error('enough'));
      signal.throwIfAborted();
    },
    ...options,
  });
  return { ...result, waits };
}

it('in a pipe writes new and changed records, one per line', async () => {
  const { exit, stdout, stderr, waits } = await watch('book list --watch --interval 3');
  expect([exit, stderr]).toEqual([0, '']);
  expect(stdout).toBe('{"id":1,"name":"Ada"}\n{"id":2,"name":"Bob"}\n{"id":2,"name":"Eve"}\n');
  expect(waits).toEqual([3000, 3000, 3000, 3000]);
});

it('uses the requested format', async () => {
  expect((await watch('book list -w -o csv')).stdout).toBe('name\r\nAda\r\nBob\r\nEve\r\n');
  expect((await watch('book list -w --json=name')).stdout).toBe(
    '{"name":"Ada"}\n{"name":"Bob"}\n{"name":"Eve"}\n',
  );
});

it('writes lines on a terminal under --accessible', async () => {
  const { stdout } = await watch('book list -w --accessible --color never', { terminal: true });
  expect(stdout).toBe('Ada\nBob\nEve\n');
});

it('is not a flag of commands that make changes, and cannot be sorted', async () => {
  expect((await watch('book put 1 --watch')).exit).toBe(2);
  expect((await watch('book list --watch --sort name')).exit).toBe(2);
});

it('quitting the board aborts the pending request', async () => {
  const signals: AbortSignal[] = [];
  const ctx = {
    signal: new AbortController().signal,
    now: () => 0,
    sleep: () => Promise.resolve(),
    out: {
      async board(screens: AsyncIterable<unknown>) {
        const source = screens[Symbol.asyncIterator]();
        await source.next();
        void source.next();
        await eventually(() => expect(signals).toHaveLength(2));
        return true;
      },
    },
  };
  await watchCommand(ctx as unknown as Context, {
    title: 'book list',
    intervalSeconds: 5,
    run: ({ signal }) => {
      signals.push(signal);
      return signals.length === 1 ? Promise.resolve() : new Promise(() => undefined);
    },
  });
  expect(signals[1]?.aborted).toBe(true);
});

it.each([
  [undefined, 'every 3 s · 12:00:00 UTC'],
  ['Asia/Tokyo', 'every 3 s · 21:00:00'],
])('with zone %s, the footer of the board is %s', async (zone, footer) => {
  const footers: string[] = [];
  const out = {
    zone,
    async board(screens: AsyncIterable<{ readonly footer: string }>) {
      for await (const screen of screens) footers.push(screen.footer);
    },
  };
  const ctx = {
    out,
    signal: new AbortController().signal,
    now: () => Date.UTC(2026, 0, 5, 12),
    sleep: () => Promise.reject(new Error('over')),
  };
  await watchCommand(ctx as unknown as Context, {
    title: 'Seats',
    intervalSeconds: 3,
    run: (reading) => reading.out.list([], view),
  });
  expect(footers).toEqual([footer]);
});
