import { expect, it } from 'vitest';
import { run } from '../../scripts/proofs/bulk-kill.ts';

it('a killed run of 500 rows reaches its target, sends nothing twice, and can be undone exactly', async () => {
  const results = await run('reduced');
  expect(results.map(({ holds }) => holds)).toEqual([true, true, true]);
  expect(results.map(({ figure }) => figure).join()).toContain('wrong members 0 in 3 kills');
});
