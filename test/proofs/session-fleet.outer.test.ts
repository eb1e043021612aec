import { describe, expect, it } from 'vitest';
import { run } from '../../scripts/proofs/session-fleet.ts';
import { postgresMissing } from '../support/postgres.ts';
import { postgresPrograms } from '../support/postgres-programs.ts';

describe.skipIf(postgresMissing() ?? (postgresPrograms() === undefined))('the proof session-fleet', () => {
  it('holds at reduced size', async () => {
    const results = await run('reduced');
    expect(results).toHaveLength(2);
    expect(results.filter(({ holds }) => !holds)).toEqual([]);
  });
});
