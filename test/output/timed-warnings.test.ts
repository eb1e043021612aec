import { expect, test } from 'vitest';
import { createOutput } from '../../src/output/index.ts';

/** Returns the lines of a warning and a note. */
async function messagesOf(more: { readonly timesWarnings?: boolean; readonly zone?: string }) {
  let text = '';
  const sink = { isTerminal: false, columns: undefined, rows: undefined };
  const out = createOutput({
    format: undefined,
    stdout: { ...sink, write: () => Promise.resolve() },
    stderr: {
      ...sink,
      write: (piece) => {
        text += piece;
        return Promise.resolve();
      },
    },
    env: {},
    now: () => Date.UTC(2026, 0, 5, 12, 30, 5),
    ...more,
  });
  out.warn('the store is not available');
  out.note('Ready.');
  await out.settled();
  return text.split('\n').slice(0, -1);
}

test('warnings of a command that runs for a long time begin with the time of day', async () => {
  expect(await messagesOf({ timesWarnings: true })).toEqual([
    '12:30:05  warning: the store is not available',
    'Ready.',
  ]);
  const zone = 'America/New_York';
  expect((await messagesOf({ timesWarnings: true, zone }))[0]).toMatch(/^07:30:05  warning: /);
});

test('warnings of other commands have no time', async () => {
  expect((await messagesOf({}))[0]).toBe('warning: the store is not available');
});
