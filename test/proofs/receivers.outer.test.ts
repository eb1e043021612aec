import { describe, expect, it } from 'vitest';
import { run as consumers } from '../../scripts/proofs/consumers.ts';
import { run as receiversKill } from '../../scripts/proofs/receivers-kill.ts';
import { natsMissing } from '../support/nats.ts';
import { postgresMissing } from '../support/postgres.ts';
import { postgresPrograms } from '../support/postgres-programs.ts';

describe.skipIf(postgresMissing() ?? postgresPrograms() === undefined)('the proofs of shared events', () => {
  it.concurrent.each([
    ['receivers-kill', receiversKill],
    ['consumers', consumers],
  ])('%s holds at reduced size, with a control that fails', async (_name, proof) => {
    const results = await proof('reduced');
    expect(results.filter(({ holds }) => !holds)).toEqual([]);
    // One campaign with listeners stores events in a stream and requires nats-server. Two have a WebSocket.
    const ofReceivers = natsMissing() === undefined ? 5 : 4;
    expect(results).toHaveLength(proof === receiversKill ? ofReceivers : 2);
  });
});
