import { describe, expect, it } from 'vitest';
import { run as fleetKill } from '../../scripts/proofs/fleet-kill.ts';
import { postgresMissing } from '../support/postgres.ts';
import { postgresPrograms } from '../support/postgres-programs.ts';

describe.skipIf(postgresMissing() ?? postgresPrograms() === undefined)('the proof fleet-kill', () => {
  it('holds at reduced size, with a control that fails', async () => {
    const results = await fleetKill('reduced');
    expect(results.filter(({ holds }) => !holds)).toEqual([]);
    expect(results).toHaveLength(2);
  });
});
