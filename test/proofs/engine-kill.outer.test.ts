import { describe, expect, it } from 'vitest';
import { run } from '../../scripts/proofs/engine-kill.ts';
import { natsMissing } from '../support/nats.ts';
import { postgresMissing } from '../support/postgres.ts';
import { postgresPrograms } from '../support/postgres-programs.ts';

const missing = postgresMissing() ?? natsMissing();

describe.skipIf(missing ?? postgresPrograms() === undefined)('the proof engine-kill', () => {
  it('holds at reduced size, with a control that fails', async () => {
    const results = await run('reduced');
    expect(results.filter(({ holds }) => !holds)).toEqual([]);
    expect(results).toHaveLength(3);
  });
});
