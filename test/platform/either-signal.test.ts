import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { eitherSignal } from '../../src/platform/either-signal.ts';

it('aborts with the reason of the first signal that aborts, and leaves no listener', () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const { signal, end } = eitherSignal(first.signal, second.signal);
  expect(signal.aborted).toBe(false);
  second.abort(new Error('second'));
  first.abort(new Error('first'));
  expect(signal.reason).toEqual(new Error('second'));
  end();
  for (const one of [first, second]) expect(getEventListeners(one.signal, 'abort')).toEqual([]);
});

it('aborts at once if a signal has aborted', () => {
  const { signal } = eitherSignal(new AbortController().signal, AbortSignal.abort(new Error('before')));
  expect(signal.reason).toEqual(new Error('before'));
});

it('does not abort after its end', () => {
  const given = new AbortController();
  const { signal, end } = eitherSignal(given.signal);
  end();
  given.abort();
  expect(signal.aborted).toBe(false);
});

it('does not cause a warning if many tasks use the same signal', async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning);
  process.on('warning', onWarning);
  const given = new AbortController();
  const all = Array.from({ length: 20 }, () => eitherSignal(given.signal));
  // Warnings are emitted before the next turn.
  await new Promise((next) => setImmediate(next));
  process.off('warning', onWarning);
  for (const { end } of all) end();
  expect(warnings).toEqual([]);
});
