import { describe, expect, it } from 'vitest';
import { flagOf } from '../../src/cli/flags.ts';
import { globalGroups, globalOptionsFor } from '../../src/cli/global-options.ts';
import { commandHelp } from '../../src/cli/help.ts';
import { loadAll } from '../../src/cli/load-nouns.ts';
import { registry } from '../../src/cli/registry.ts';
import { definitions } from '../../src/cli/wrap.ts';
import type { AnyCommandSpec } from '../../src/runtime/define.ts';
import { exampleNoun } from '../support/example-noun.ts';
import { runUcctl, type RunOptions } from '../support/run-ucctl.ts';

const nouns = [exampleNoun()];

describe('help', () => {
  it.each([
    ['root help', ['--help', '-h', 'help', '']],
    ['noun help', ['book --help', 'help book', '--help book', 'book -h -o json', 'book']],
    ['command help', ['book put --help', 'help book put', 'book put 7 --count 99 -h', '-h book put']],
    ['full command help', ['book put --help --all', 'help book put --all', 'book put --all -h']],
  ])('%s is the same in every form of the request', async (what, lines) => {
    const results = await Promise.all(lines.map((argv) => runUcctl(argv, { nouns })));
    await expect(results[0]?.stdout).toMatchFileSnapshot(`golden/${what.replaceAll(' ', '-')}.txt`);
    for (const result of results) expect(result).toEqual({ ...results[0], exit: 0, stderr: '' });
  });

  it('of the name alone, on a terminal, shows the next steps on one screen', async () => {
    const { stdout, exit } = await runUcctl('', { nouns, terminal: 80 });
    await expect(stdout).toMatchFileSnapshot('golden/first-help.txt');
    expect([exit, stdout.split('\n').length < 24]).toEqual([0, true]);
  });

  it.each([['flags'], ['exit-codes'], ['environment'], ['formatting']])('on %s', async (topic) => {
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
      'book put --help --all',
      'help flags',
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

it.each([22, 24, 30])('terms and texts fit %i columns', (width) => {
  const text = 'Agents that ucctl must not remove, in addition to the agents of the setting';
  const lines = definitions(
    [
      ['-h', text],
      ['    --protect AGENT', text],
    ],
    width,
  ).split('\n');
  expect(lines.filter((line) => line.length > width)).toEqual([]);
});

const typed = /^  (\$ |ucctl )|^ +(-\w, )? *\S+( \S+)?$/;

it('the full help of every command fits, on a narrow terminal too, except long words and commands', async () => {
  for (const { commands } of await loadAll(registry)) {
    for (const spec of commands) {
      for (const width of [40, 80]) {
        const tooWide = commandHelp(spec, width, true)
          .split('\n')
          .filter((line) => line.length > width && !typed.test(line));
        expect([spec.path.join(' '), width, tooWide]).toEqual([spec.path.join(' '), width, []]);
      }
    }
  }
});

it('the help of a command describes --dry-run by what it prints', async () => {
  const commands = (await loadAll(registry)).flatMap((noun) => noun.commands);
  const texts = commands
    .filter(({ mutates }) => mutates)
    .map((spec) => [spec.dryRunPrints, globalOptionsFor(spec)['dryRun']?.summary] as const);
  const local = texts.filter(([prints]) => prints === 'output').map(([, text]) => text);
  const others = texts.filter(([prints]) => prints !== 'output').map(([, text]) => text);
  expect(local.length).toBeGreaterThan(2);
  expect(new Set(local)).toEqual(new Set(['Show the changes without making them']));
  expect(new Set(others)).toEqual(
    new Set(['Print requests that would make changes instead of sending them']),
  );
});

describe('a pager', () => {
  async function shown(argv: string, options: RunOptions): Promise<readonly [string, string]> {
    let paged = '';
    const page = async (text: string): Promise<boolean> => {
      paged += text;
      return true;
    };
    const { stdout, exit } = await runUcctl(argv, { nouns, terminal: 80, rows: 12, page, ...options });
    expect(exit).toBe(0);
    return [paged, stdout];
  }

  it.each(['--help', 'help formatting', 'book put --help --all', 'book'])(
    'shows a help text that does not fit: %s',
    async (argv) => {
      const [paged, stdout] = await shown(argv, {});
      expect([paged.split('\n').length > 12, stdout]).toEqual([true, '']);
    },
  );

  it.each<readonly [string, string, RunOptions]>([
    ['what fits', 'book put --help', { rows: 60 }],
    ['in a pipe', '--help', { terminal: false }],
    ['in CI', '--help', { env: { CI: 'true' } }],
    ['under TERM=dumb', '--help', { env: { TERM: 'dumb' } }],
    ['under UCCTL_ACCESSIBLE', '--help', { env: { UCCTL_ACCESSIBLE: '1' } }],
    ['under --accessible', '--help --accessible', {}],
    ['where the height is unknown', '--help', { rows: undefined }],
    ['where there is none', '--help', { page: () => Promise.resolve(false) }],
  ])('does not show %s', async (_what, argv, options) => {
    const [paged, stdout] = await shown(argv, options);
    expect([paged, stdout.includes('Usage:')]).toEqual(['', true]);
  });
});

it('every global flag is in one group of the topic flags', async () => {
  const { stdout } = await runUcctl('help flags');
  const flags = Object.values(globalGroups).flatMap((group) => Object.keys(group));
  const spec = { ...exampleNoun().commands[0], options: {}, mutates: true, watch: true } as AnyCommandSpec;
  expect([...flags].sort()).toEqual(Object.keys(globalOptionsFor(spec)).sort());
  expect(flags.filter((key) => !stdout.includes(flagOf(key)))).toEqual([]);
});

it.each([['--version'], ['-V']])('%s is the version', async (argv) => {
  expect(await runUcctl(argv, { nouns })).toEqual({ exit: 0, stdout: '0.0.0-test\n', stderr: '' });
});

it('of a command without a verb lists the other commands of its noun', async () => {
  for (const [command, other] of [
    ['sync', 'sync search'],
    ['mcp', 'mcp calls'],
  ]) {
    const { stdout } = await runUcctl(`${command} --help`);
    expect(stdout).toMatch(new RegExp(`More commands:\\n[^]*^  ${other}`, 'm'));
  }
});
