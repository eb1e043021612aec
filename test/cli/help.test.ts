import { describe, expect, it } from 'vitest';
import { commandHelp } from '../../src/cli/help.ts';
import { loadAll } from '../../src/cli/load-nouns.ts';
import { registry } from '../../src/cli/registry.ts';
import { exampleNoun } from '../support/example-noun.ts';
import { runUcctl } from '../support/run-ucctl.ts';

const nouns = [exampleNoun()];

describe('help', () => {
  it.each([
    ['root help', ['--help', '-h', 'help', '']],
    ['noun help', ['book --help', 'help book', '--help book', 'book -h -o json']],
    ['command help', ['book put --help', 'help book put', 'book put 7 --count 99 -h', '-h book put']],
  ])('%s is the same however it is asked for', async (what, lines) => {
    const results = await Promise.all(lines.map((argv) => runUcctl(argv, { nouns })));
    await expect(results[0]?.stdout).toMatchFileSnapshot(`golden/${what.replace(' ', '-')}.txt`);
    for (const result of results) expect(result).toEqual({ ...results[0], exit: 0, stderr: '' });
  });

  it('of a noun without verb, on a terminal', async () => {
    const { stdout, exit } = await runUcctl('book', { nouns, terminal: 80 });
    expect(stdout).toContain('ucctl book VERB');
    expect(exit).toBe(0);
  });

  it('of the name alone, on a terminal, is what to do next, on one screen', async () => {
    const { stdout, exit } = await runUcctl('', { nouns, terminal: 80 });
    await expect(stdout).toMatchFileSnapshot('golden/first-help.txt');
    expect([exit, stdout.split('\n').length < 24]).toEqual([0, true]);
  });

  it.each([['exit-codes'], ['environment'], ['formatting']])('on %s', async (topic) => {
    const { stdout, exit } = await runUcctl(`help ${topic}`, { nouns });
    await expect(stdout).toMatchFileSnapshot(`golden/${topic}.txt`);
    expect(exit).toBe(0);
  });

  it.each([40, 60, 80, 110])('fits a terminal of %i columns', async (terminal) => {
    for (const argv of [
      '',
      '--help',
      'book --help',
      'book put --help',
      'help exit-codes',
      'help environment',
    ]) {
      const { stdout } = await runUcctl(argv, { nouns, terminal });
      const tooWide = stdout
        .split('\n')
        .filter((line) => line.length > terminal && !/^  (\$ )?ucctl /.test(line));
      expect(tooWide).toEqual([]);
    }
  });
});

const typed = /^  (\$ |ucctl )|^ +(-\w, )? *\S+( \S+)?$/;

it('of every command fits, on a narrow terminal too; what is longer is one word, or typed', async () => {
  for (const { commands } of await loadAll(registry)) {
    for (const spec of commands) {
      for (const width of [40, 80]) {
        const tooWide = commandHelp(spec, width)
          .split('\n')
          .filter((line) => line.length > width && !typed.test(line));
        expect([spec.path.join(' '), width, tooWide]).toEqual([spec.path.join(' '), width, []]);
      }
    }
  }
});

it.each([['--version'], ['-V'], ['version']])('%s is the version', async (argv) => {
  expect(await runUcctl(argv, { nouns })).toEqual({ exit: 0, stdout: '0.0.0-test\n', stderr: '' });
});
