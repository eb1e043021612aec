import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { limitTime, waitAtMost } from '../../src/platform/time-limit.ts';

it('a limit aborts with a message when its time is over', async () => {
  const { signal, isOver } = limitTime(new AbortController().signal, 1);
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  expect([isOver(), (signal.reason as Error).name]).toEqual([true, 'TimeoutError']);
});

it('a limit aborts with its parent signal, also if that has already aborted', () => {
  const ended = new AbortController();
  const before = limitTime(ended.signal, 60_000);
  ended.abort('enough');
  const after = limitTime(ended.signal, 60_000);
  expect([before, after].map(({ signal, isOver }) => [signal.reason as unknown, isOver()])).toEqual([
    ['enough', false],
    ['enough', false],
  ]);
});

it('a limit leaves no listener on its parent signal', () => {
  const { signal } = new AbortController();
  for (let one = 0; one < 10; one += 1) limitTime(signal, 60_000).end();
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('a wait ends with the result of the work, its error, or the end of the time', async () => {
  await expect(waitAtMost(60_000, Promise.resolve('done'))).resolves.toBe('done');
  await expect(waitAtMost(60_000, Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  await expect(waitAtMost(1, new Promise(() => undefined))).rejects.toMatchObject({
    name: 'TimeoutError',
    message: 'not finished within 0.001 s',
  });
});
