import { expect, it } from 'vitest';
import { type ColorFlag, wantsColor } from '../../src/output/color.ts';
import { exampleNoun } from '../support/example-noun.ts';
import { runUcctl } from '../support/run-ucctl.ts';

const all = { NO_COLOR: '1', CLICOLOR_FORCE: '1', CLICOLOR: '0', TERM: 'dumb' };

it.each<[string, ColorFlag | undefined, Readonly<Record<string, string>>, boolean, boolean]>([
  ['--color always wins over everything', 'always', all, false, true],
  ['--color never wins over everything', 'never', { CLICOLOR_FORCE: '1' }, true, false],
  ['NO_COLOR before CLICOLOR_FORCE', undefined, { NO_COLOR: '1', CLICOLOR_FORCE: '1' }, true, false],
  ['an empty NO_COLOR counts as unset', 'auto', { NO_COLOR: '' }, true, true],
  ['CLICOLOR_FORCE in a pipe', undefined, { CLICOLOR_FORCE: '1', CLICOLOR: '0', TERM: 'dumb' }, false, true],
  ['CLICOLOR=0 on a terminal', undefined, { CLICOLOR: '0' }, true, false],
  ['TERM=dumb', undefined, { TERM: 'dumb' }, true, false],
  ['a terminal', undefined, {}, true, true],
  ['a pipe', undefined, {}, false, false],
])('%s', (_name, flag, env, isTerminal, colored) => {
  expect(wantsColor(flag, env, isTerminal)).toBe(colored);
});

it('colours a status by its meaning, and keeps its text', async () => {
  const { stdout } = await runUcctl('book list', { nouns: [exampleNoun()], terminal: 100 });
  expect(stdout).toContain('\x1b[32mEnabled');
  expect(stdout).toContain('\x1b[2mDisabled');
});
