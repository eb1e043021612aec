import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { registry } from '../../src/cli/registry.ts';
import { runUcctl } from '../support/run-ucctl.ts';

// The launcher (bin/ucctl.cjs) answers `NOUN --help` with these files.
it.each(registry.map(({ name }) => [name]))('the built help of %s is that of the program', async (name) => {
  const { stdout } = await runUcctl(`${name} --help`);
  expect(readFileSync(`dist/cli/help/${name}.txt`, 'utf8')).toBe(stdout);
});
