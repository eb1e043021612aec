import { expect, it } from 'vitest';
import { filterHoles, holes } from '../../scripts/documents/coverage.ts';
import { loadAll } from '../../src/cli/load-nouns.ts';
import { registry } from '../../src/cli/registry.ts';

const commands = (await loadAll(registry)).flatMap((noun) => noun.commands);

it('spec:CLIENT-35 every operation, parameter and field of the contract is reachable, or has a reason', () => {
  expect(holes(commands)).toEqual([]);
});

it('spec:CLIENT-35 every kind of event has a short name, or has a reason', () => {
  expect(filterHoles()).toEqual([]);
});

it('a gap is found: without a command, its operations are uncovered', () => {
  const without = commands.filter(({ path }) => path.join(' ') !== 'presence set');
  expect(holes(without)).toContain('updatePresence: command presence set not found');
  expect(holes(without)).toContain('updatePresence: flag presence set --message not found');
});
