import { describe, expect, it } from 'vitest';
import { run as storeKill } from '../../scripts/proofs/store-kill.ts';
import { postgresMissing } from '../support/postgres.ts';

describe.skipIf(postgresMissing())('a store', () => {
  it('loses and doubles nothing when syncs are killed and the server crashes (reduced)', async () => {
    const results = await storeKill('reduced');
    expect(results.filter(({ holds }) => !holds)).toEqual([]);
    expect(results).toHaveLength(3);
  });
});
