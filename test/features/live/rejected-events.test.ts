import { expect, it } from 'vitest';
import { RejectedEvents } from '../../../src/features/live/rejected-events.ts';
import { linksOf } from '../../support/signal-links.ts';

it('leaves nothing on the signal of the run, and doubles the wait after each failed recovery', async () => {
  const { signal } = new AbortController();
  const waits: number[] = [];
  let attempts = 0;
  await new Promise<void>((done) => {
    const events = new RejectedEvents({
      signal,
      now: () => 7,
      sleep: (milliseconds) => {
        waits.push(milliseconds);
        return Promise.resolve();
      },
      recover: (from) => {
        expect(from).toBe(7);
        attempts += 1;
        if (attempts === 3) done();
        return Promise.resolve(attempts === 3);
      },
    });
    events.rejected();
  });
  expect(waits).toEqual([30_000, 60_000, 120_000]);
  expect(linksOf(signal)).toBe(0);
});

it.each(['the run ends', 'an event is stored'])('ends the wait if %s', async (reason) => {
  const run = new AbortController();
  let isRecovered = false;
  const ended = await new Promise<AbortSignal>((done) => {
    const events = new RejectedEvents({
      signal: run.signal,
      now: () => 7,
      sleep: (_milliseconds, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reject(new Error('aborted'));
            done(signal);
          });
          if (reason === 'the run ends') run.abort();
          else events.stored();
        }),
      recover: () => {
        isRecovered = true;
        return Promise.resolve(true);
      },
    });
    events.rejected();
  });
  await new Promise((next) => setImmediate(next));
  expect(ended.aborted).toBe(true);
  expect(isRecovered).toBe(reason === 'an event is stored');
  expect(linksOf(run.signal)).toBe(0);
});

it.each([0, 1, 2, 3, 4, 5, 6])(
  'recovers again if an event is rejected %i microtasks after the start of a recovery',
  async (steps) => {
    let attempts = 0;
    const rejectLater = async (): Promise<void> => {
      for (let step = 0; step < steps; step += 1) await Promise.resolve();
      events.rejected();
    };
    const events = new RejectedEvents({
      signal: new AbortController().signal,
      now: () => 7,
      sleep: () => Promise.resolve(),
      recover: () => {
        attempts += 1;
        if (attempts === 1) void rejectLater();
        return Promise.resolve(true);
      },
    });
    events.rejected();
    await new Promise((next) => setImmediate(next));
    expect(attempts).toBe(2);
  },
);
