import { describe, expect, it } from 'vitest';
import { registry } from '../../src/cli/registry.ts';
import { runCommandAllowed, runCommandDisallowed, type CommandReport } from './command-run.ts';
import { commandCases } from './commands/all-cases.ts';
import { localCommands } from './commands/local.ts';
import { passingChanges, writeProofs } from './commands/writes.ts';

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
    const changes = new Set<string>();
    const run = async (seed: number): Promise<CommandReport> => {
      const report = await runCommandAllowed(name, entry, seed);
      for (const change of report.changes ?? []) changes.add(change);
      return report;
    };
    expect(await faultsOf(allowedSeeds, run)).toEqual([]);
    const command = entry.command ?? name;
    // A command that sends another change is listed in `writeProofs`, so that its proof is tested.
    const unlisted = command in writeProofs ? [] : [...changes].toSorted();
    expect(unlisted).toEqual(passingChanges[command] ?? []);
  });
});

describe('disallowed replies of a foreign service', () => {
  it.each(entries)('%s exits with a documented code', async (name, entry) => {
    expect(await faultsOf(disallowedSeeds, (seed) => runCommandDisallowed(name, entry, seed))).toEqual([]);
  });
});
