import { expect, it } from 'vitest';
import { run as syncSteps } from '../../scripts/proofs/sync-steps.ts';

it('the copy equals the service after every sync of a random walk (reduced)', async () => {
  const results = await syncSteps('reduced');
  expect(results.filter(({ holds }) => !holds)).toEqual([]);
  expect(results[0]?.figure).toContain('0 divergences');
});
