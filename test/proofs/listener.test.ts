import { expect, it } from 'vitest';
import { run as killed } from '../../scripts/proofs/listener-kill.ts';
import { run as slow } from '../../scripts/proofs/listener-slow.ts';

it('loses nothing that it acknowledged when it is killed under load, and shows it', async () => {
  const results = await killed('reduced');
  // Between a line written and its place noted lie microseconds; `npm run proof -- listener-kill` counts what falls there.
  const [kept, shown] = results;
  expect([kept, shown]).toMatchObject([{ holds: true }, { holds: true }]);
}, 150_000);

it('takes every good notification beside slow connections, and grows by nothing while nobody reads', async () => {
  expect(await slow('reduced')).toMatchObject([{ holds: true }, { holds: true }]);
}, 150_000);
