import { describe, expect, it } from 'vitest';
import { run } from '../../scripts/proofs/s3.ts';
import { cephMissing } from '../support/ceph.ts';

describe.skipIf(cephMissing())('the proof s3', () => {
  it('holds at reduced size', async () => {
    const results = await run('reduced');
    expect(results.filter(({ holds }) => !holds)).toEqual([]);
    expect(results).toHaveLength(5);
  });
});
