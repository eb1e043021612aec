import { expect, it } from 'vitest';
import { run as syncKill } from '../../scripts/proofs/sync-kill.ts';
import { run as syncSteps } from '../../scripts/proofs/sync-steps.ts';

it('the copy equals the service after every sync of a random walk (reduced)', async () => {
  const results = await syncSteps('reduced');
  expect(results.filter(({ holds }) => !holds)).toEqual([]);
  expect(results[0]?.figure).toContain('0 divergences');
});

it('a sync that is killed loses and doubles nothing (reduced)', async () => {
  const results = await syncKill('reduced');
  expect(results.filter(({ holds }) => !holds)).toEqual([]);
  expect(results[0]?.figure).toContain('0 lost, 0 duplicated, 0 damaged');
}, 120_000);
