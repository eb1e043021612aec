import { expect, it } from 'vitest';
import { withoutExtension } from '../hidden-extension.ts';
import { openCurrent } from './open-current.ts';

it.each(['yaml', 'csv'])(
  'a member who is not in the list of extensions is exported as %s, and not removed by this list',
  async (format) => {
    const { run, write, sandbox } = await openCurrent(withoutExtension('171857103'));
    const { exit, stdout } = await run(`queue export 201 -o ${format}`);
    expect([exit, stdout]).toEqual([0, expect.stringMatching(/171857103.*extension 171857103/s)]);
    write(`list.${format}`, stdout);
    const applied = await run(`queue apply -f list.${format} --exact --allow-empty --yes`);
    expect([applied.exit, applied.stderr]).toEqual([2, expect.stringContaining('"171857103" not found')]);
    expect(sandbox.members(171_857_201).map(({ extensionNumber }) => extensionNumber)).toContain('103');
  },
);
