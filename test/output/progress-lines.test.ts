import { afterEach, expect, it, vi } from 'vitest';
import { createOutput } from '../../src/output/index.ts';

afterEach(() => void vi.useRealTimers());

it('without a terminal reports progress every 10 s, also while waiting, and not for short work', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  const shown: string[] = [];
  const sink = {
    isTerminal: false,
    columns: undefined,
    write: async (text: string) => void shown.push(text),
  };
  const out = createOutput({
    format: undefined,
    stdout: sink,
    stderr: sink,
    env: {},
    now: () => Date.now(),
  });
  await out.progress('reading', async (update) => {
    update('1/3');
    await vi.advanceTimersByTimeAsync(9000);
    update('2/3');
    await vi.advanceTimersByTimeAsync(25_000);
    update('3/3');
  });
  await vi.advanceTimersByTimeAsync(60_000);
  await out.settled();
  expect(shown).toEqual(['reading: 2/3\n', 'reading: 2/3\n', 'reading: 2/3\n']);
});
