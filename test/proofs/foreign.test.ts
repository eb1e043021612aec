import { expect, it } from 'vitest';
import { run as foreign } from '../../scripts/proofs/foreign.ts';
import { run as wire } from '../../scripts/proofs/wire.ts';

it('no disallowed reply of a foreign service is accepted, no allowed one is rejected', async () => {
  for (const result of await foreign('reduced')) expect(result).toMatchObject({ holds: true });
});

it('nothing is sent twice and no reported success is false over a faulty connection', async () => {
  for (const result of await wire('reduced')) expect(result).toMatchObject({ holds: true });
});
