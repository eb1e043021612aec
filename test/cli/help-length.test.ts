import { expect, it } from 'vitest';
import { commandHelp } from '../../src/cli/help.ts';
import { loadAll } from '../../src/cli/load-nouns.ts';
import { registry } from '../../src/cli/registry.ts';

const lines = 40;

it('the help of at least nine of ten commands fits 40 lines of 80 columns', async () => {
  const nouns = await loadAll(registry);
  const lengths = nouns.flatMap(({ commands }) =>
    commands.map((spec) => {
      const text = commandHelp(spec, 80).trimEnd();
      // A line that a terminal wraps takes two.
      const height = text
        .split('\n')
        .reduce((sum, line) => sum + Math.ceil(Math.max(1, line.length) / 80), 0);
      return { command: spec.path.join(' '), height };
    }),
  );
  const longer = lengths.filter(({ height }) => height > lines).sort((a, b) => b.height - a.height);
  const share = 1 - longer.length / lengths.length;
  const report = longer.map(({ command, height }) => `${command} (${height})`).join(', ');
  const fitting = lengths.length - longer.length;
  process.stdout.write(
    `${fitting} of ${lengths.length} commands fit ${lines} lines; longer: ${report || 'none'}\n`,
  );
  expect({ longer: report, isMet: share >= 0.9 }).toMatchObject({ isMet: true });
});
