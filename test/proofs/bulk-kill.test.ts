import { expect, it } from 'vitest';
import { run } from '../../scripts/proofs/bulk-kill.ts';

it('a killed run of 500 rows reaches its target, sends nothing twice, and can be undone exactly', async () => {
  expect(await run('reduced')).toContain('wrong members 0, changes accepted twice 0, undo exact 3/3');
}, 120_000);
