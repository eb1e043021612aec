import { expect, test } from 'vitest';
import { killWhileWriting } from '../../scripts/proofs/sandbox-kill.ts';
import { runScriptedTime } from '../../scripts/proofs/scripted-week.ts';

// The full size: npm run proof -- sandbox-kill scripted-week

test('spec:SANDBOX-21 a kill -9 at any moment loses no acknowledged write; timers and pending deliveries continue', async () => {
  const found = await killWhileWriting({ rounds: 2, writers: 8, writes: 40 });
  expect(found).toEqual({ acknowledged: expect.any(Number), lost: 0, undelivered: 0, unnotified: 0 });
  expect(found.acknowledged).toBeGreaterThanOrEqual(60);
});

test('spec:SANDBOX-23 the scripted week, here some hours: the same seed gives the same bytes, also with a kill -9 in the middle', async () => {
  const [first, second, killed] = await runScriptedTime({ hours: 2, perMinute: 3 });
  expect(second).toBe(first);
  expect(killed).toBe(first);
});
