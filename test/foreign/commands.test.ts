import { describe, expect, it } from 'vitest';
import { registry } from '../../src/cli/registry.ts';
import { runCommandAllowed, runCommandDisallowed, type CommandReport } from './command-run.ts';
import { commandCases } from './commands/all-cases.ts';
import { localCommands } from './commands/local.ts';

const entries = Object.entries(commandCases);
/** One seed for each dialect: an even one for `spec`, an odd one for `current`. */
const allowedSeeds = [2, 3];
const disallowedSeeds = [3];

async function faultsOf(
  seeds: readonly number[],
  run: (seed: number) => Promise<CommandReport>,
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const seed of seeds) faults.push(...[(await run(seed)).fault ?? []].flat());
  return faults;
}

it('every command of the registry has a case, or a reason why it needs none', async () => {
  const nouns = await Promise.all(registry.map(({ load }) => load()));
  const commands = nouns.flatMap(({ commands: all }) => all.map(({ path }) => path.join(' ')));
  const cased = entries.map(([name, { command = name }]) => command);
  const covered = [...new Set(cased), ...Object.keys(localCommands)];
  expect(covered.toSorted()).toEqual(commands.toSorted());
});

describe('allowed replies of a foreign service', () => {
  it.each(entries)('%s shows the served data', async (name, entry) => {
    expect(await faultsOf(allowedSeeds, (seed) => runCommandAllowed(name, entry, seed))).toEqual([]);
  });
});

describe('disallowed replies of a foreign service', () => {
  it.each(entries)('%s exits with a documented code', async (name, entry) => {
    expect(await faultsOf(disallowedSeeds, (seed) => runCommandDisallowed(name, entry, seed))).toEqual([]);
  });
});
