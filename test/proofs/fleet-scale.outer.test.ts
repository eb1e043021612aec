import { describe, expect, it } from 'vitest';
import { run } from '../../scripts/proofs/fleet-scale.ts';
import { postgresMissing } from '../support/postgres.ts';
import { postgresPrograms } from '../support/postgres-programs.ts';

const isOnLinux = process.platform === 'linux';

// The proof reads the processor time of the server from /proc.
describe.skipIf(!isOnLinux || postgresMissing() !== undefined || postgresPrograms() === undefined)(
  'the proof fleet-scale',
  () => {
    it('holds at reduced size', async () => {
      const results = await run('reduced');
      expect(results.filter(({ holds }) => !holds)).toEqual([]);
      expect(results).toHaveLength(3);
    });
  },
);
