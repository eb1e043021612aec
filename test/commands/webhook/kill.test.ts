import { expect, it } from 'vitest';
import { run } from '../../../scripts/proofs/listener-kill.ts';

it('loses nothing that it acknowledged when it is killed under load, and shows it', async () => {
  const results = await run('reduced');
  // Between a line written and its place noted lie microseconds; `npm run proof -- listener-kill` counts what falls there.
  const [kept, shown] = results;
  expect([kept, shown]).toMatchObject([{ holds: true }, { holds: true }]);
}, 60_000);
