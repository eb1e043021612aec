import { expect, it } from 'vitest';
import { run as callsKill } from '../../scripts/proofs/calls-kill.ts';
import { python, run as proveExport } from '../../scripts/proofs/export.ts';
import { run as syncKill } from '../../scripts/proofs/sync-kill.ts';
import { run as syncSteps } from '../../scripts/proofs/sync-steps.ts';
import { unlessRequired } from '../support/required.ts';

it('the copy equals the service after every sync of a random walk (reduced)', async () => {
  const results = await syncSteps('reduced');
  expect(results.filter(({ holds }) => !holds)).toEqual([]);
  expect(results[0]?.figure).toContain('0 divergences');
});

it('a killed sync loses and duplicates nothing (reduced)', async () => {
  const results = await syncKill('reduced');
  expect(results.filter(({ holds }) => !holds)).toEqual([]);
  expect(results[0]?.figure).toContain('0 lost, 0 duplicated, 0 damaged');
});

it('a killed sync of the call log loses and duplicates nothing (reduced)', async () => {
  const results = await callsKill('reduced');
  expect(results).toMatchObject([{ holds: true }]);
});

const withoutPython = unlessRequired('python', python() === undefined ? 'there is no python3' : undefined);

it.skipIf(withoutPython !== undefined)(
  `exports are read back completely by other programs (reduced)${withoutPython ? `: ${withoutPython}` : ''}`,
  async () => {
    const results = await proveExport('reduced');
    expect(results.filter(({ holds }) => !holds)).toEqual([]);
    expect(results.length).toBeGreaterThanOrEqual(6);
  },
);
