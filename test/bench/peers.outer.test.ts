import { expect, it } from 'vitest';
import { comparePeers } from '../../bench/peers.ts';

it('reports that no other command line was given', () => {
  expect(comparePeers(undefined, 1)).toEqual([
    { name: 'start-up of other command lines', skipped: 'UCCTL_BENCH_PEER is not set' },
  ]);
});

it('reports that a command line cannot be run, without its name', () => {
  const outcomes = comparePeers('/nowhere/at-all', 1);
  expect(outcomes.map(({ name }) => name)).toEqual([
    '--version, of that of peer 1',
    '--help, of that of peer 1',
  ]);
  expect(JSON.stringify(outcomes)).not.toContain('nowhere');
});
