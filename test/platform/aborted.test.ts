import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { unlessAborted } from '../../src/platform/aborted.ts';

const pending = new Promise<never>(() => undefined);

it('returns the result of the work, and leaves no listener on the signal', async () => {
  const { signal } = new AbortController();
  expect(await unlessAborted(Promise.resolve(5), signal)).toBe(5);
  await expect(unlessAborted(Promise.reject(new Error('failed')), signal)).rejects.toThrow('failed');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('throws the reason of the signal, also if the signal has already aborted', async () => {
  const end = new AbortController();
  const before = unlessAborted(pending, end.signal);
  end.abort(new Error('enough'));
  await expect(before).rejects.toThrow('enough');
  await expect(unlessAborted(pending, end.signal)).rejects.toThrow('enough');
  expect(getEventListeners(end.signal, 'abort')).toEqual([]);
});
