import { expect, it } from 'vitest';
import { run } from '../../scripts/proofs/company.ts';

it('an exported company is edited, applied with kills, resumed, verified and undone', async () => {
  const results = await run('reduced');
  expect(results.filter(({ holds }) => !holds)).toEqual([]);
  expect(results.length).toBe(4);
});
