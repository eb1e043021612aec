import { describe, expect, it } from 'vitest';
import { namespacesMissing } from '../../scripts/proofs/machines.ts';
import { run } from '../../scripts/proofs/partition.ts';
import { postgresMissing } from '../support/postgres.ts';
import { postgresPrograms } from '../support/postgres-programs.ts';
import { unlessRequired } from '../support/required.ts';

const missing = postgresMissing() ?? unlessRequired('netns', namespacesMissing());

describe.skipIf(missing ?? postgresPrograms() === undefined)('the proof partition', () => {
  it('holds at reduced size', async () => {
    const results = await run('reduced');
    expect(results.filter(({ holds }) => !holds)).toEqual([]);
    // The control runs at full size only, because it depends on the load of the machine.
    expect(results).toHaveLength(1);
  });
});
