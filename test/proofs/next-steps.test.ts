import { expect, it } from 'vitest';
import { run } from '../../scripts/proofs/next-steps.ts';

it('the next steps that errors name lead to the wanted state', async () => {
  const results = await run('reduced');
  expect(results).toHaveLength(3);
  expect(results.filter(({ holds }) => !holds)).toEqual([]);
});
