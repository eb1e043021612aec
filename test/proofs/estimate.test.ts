import { expect, it } from 'vitest';
import { run } from '../../scripts/proofs/estimate.ts';

it('applying a plan takes the time that the plan estimates', async () => {
  const results = await run('reduced');
  expect(results.filter(({ holds }) => !holds)).toEqual([]);
  expect(results.length).toBe(4);
});
