import { expect, it } from 'vitest';
import { run } from '../../scripts/proofs/estimate.ts';

it('the time that a plan announces is the time that applying it takes', async () => {
  const results = await run('reduced');
  expect(results.filter(({ holds }) => !holds)).toEqual([]);
  expect(results.length).toBe(4);
});
