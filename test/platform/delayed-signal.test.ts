import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { delayedSignal } from '../../src/platform/delayed-signal.ts';

it('a delayed signal aborts after the given signal, with the same reason', async () => {
  const given = new AbortController();
  const { signal } = delayedSignal(given.signal, 1);
  given.abort('enough');
  expect(signal.aborted).toBe(false);
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  expect(signal.reason).toBe('enough');
});

it('a delayed signal does not begin if the given signal has aborted', () => {
  expect(() => delayedSignal(AbortSignal.abort(new Error('enough')), 1)).toThrow('enough');
});

it('a delayed signal leaves no listener on the given signal', () => {
  const { signal } = new AbortController();
  delayedSignal(signal, 60_000).end();
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
