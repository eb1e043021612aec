import { expect, it } from 'vitest';
import { globalOptionsFor } from '../../src/cli/global-options.ts';
import { loadAll } from '../../src/cli/load-nouns.ts';
import { registry } from '../../src/cli/registry.ts';

/**
 * The zone in which days begin is also the one in which times are shown; an interval is the pause between two looks everywhere. A store that
 * a command puts into the profile has the names of the setting.
 */
const sameMeaning = new Set(['tz', 'interval', 'store']);

it('no command gives a global flag another meaning', async () => {
  const everywhere = Object.keys(globalOptionsFor(undefined));
  const commands = (await loadAll(registry)).flatMap((noun) => noun.commands);
  const shadows = commands.flatMap(({ path, options }) =>
    Object.entries(options)
      .filter(([key, option]) => !option.positional && everywhere.includes(key) && !sameMeaning.has(key))
      .map(([key]) => `${path.join(' ')} ${key}`),
  );
  expect(shadows).toEqual([]);
});

it('no help of an option names --dry-run if the command has no dry run', async () => {
  const commands = (await loadAll(registry)).flatMap((noun) => noun.commands);
  const wrong = commands
    .filter((spec) => !('dryRun' in globalOptionsFor(spec)) && !('dryRun' in spec.options))
    .flatMap(({ path, options }) =>
      Object.entries(options)
        .filter(([, { summary }]) => summary.includes('--dry-run'))
        .map(([key]) => `${path.join(' ')} ${key}`),
    );
  expect(wrong).toEqual([]);
});

it('the relations of an option name options of its command', async () => {
  const commands = (await loadAll(registry)).flatMap((noun) => noun.commands);
  const unknown = commands.flatMap(({ path, options, argumentFlags = [] }) =>
    [
      ...argumentFlags,
      ...Object.values(options).flatMap(({ conflicts = [], requires = [], requiredUnless = [] }) =>
        [conflicts, requires, requiredUnless].flat(),
      ),
    ]
      .filter((key) => !Object.hasOwn(options, key) && !Object.hasOwn(globalOptionsFor(undefined), key))
      .map((key) => `${path.join(' ')} ${key}`),
  );
  expect(unknown).toEqual([]);
});
