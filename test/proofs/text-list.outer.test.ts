import { expect, it } from 'vitest';
import { run } from '../../scripts/proofs/text-list.ts';

it('a list of texts over a faulty network: none twice, every row has an outcome, constant memory', async () => {
  const results = await run('reduced');
  expect(results).toHaveLength(3);
  expect(results.filter(({ holds }) => !holds)).toEqual([]);
});
