import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createPrompt } from '../../src/cli/prompt.ts';
import { nounWith } from '../support/example-noun.ts';
import { runUcctl } from '../support/run-ucctl.ts';

const asks = nounWith(async (ctx) => {
  const yes = await ctx.prompt.confirm('Ring 12 people?');
  ctx.out.note(String(yes));
});

describe('a confirmation', () => {
  it.each([
    ['in a pipe', 'book put 1', {}],
    ['under --no-input', 'book put 1 --no-input', { terminal: true }],
  ])('that nobody can give %s ends with 9 and names the flag', async (_name, argv, options) => {
    const { exit, stderr, stdout } = await runUcctl(argv, { nouns: asks, ...options });
    expect({ exit, stdout }).toEqual({ exit: 9, stdout: '' });
    expect(stderr).toContain('--yes');
    expect(stderr).toContain('Ring 12 people?');
  });

  it.each([['book put 1 --yes'], ['book put 1 -y'], ['book put 1 --dry-run']])(
    'is answered by %s',
    async (argv) => {
      expect(await runUcctl(argv, { nouns: asks })).toEqual({ exit: 0, stdout: '', stderr: 'true\n' });
    },
  );
});

it('names the flag that gives a missing value', async () => {
  const nouns = nounWith(async (ctx) => {
    await ctx.prompt.secret('Password?', '--password-stdin');
  });
  const { exit, stderr } = await runUcctl('book list -o json', { nouns });
  expect(exit).toBe(9);
  expect(JSON.parse(stderr)).toMatchObject({
    error: { code: 'input_needed', hint: 'give it with --password-stdin' },
  });
});

it('asks on stderr and keeps a secret off the screen', async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  let shown = '';
  output.on('data', (piece: Buffer) => {
    shown += piece.toString();
  });
  const prompt = createPrompt({
    stdin: {
      isTerminal: true,
      text: async () => '',
      lines: async function* () {},
      bytes: async () => new Uint8Array(),
      stream: input as unknown as NodeJS.ReadStream,
    },
    stderr: {
      isTerminal: true,
      columns: 80,
      write: async () => undefined,
      stream: output as unknown as NodeJS.WriteStream,
    },
    noInput: false,
    yes: false,
    signal: new AbortController().signal,
    settled: async () => undefined,
  });
  const answer = prompt.secret('Password for \x1b[2Jme?', '--password-stdin');
  await expect.poll(() => shown).toContain('Password for ␛[2Jme?');
  input.write('hush\r');
  expect(await answer).toBe('hush');
  expect(shown).not.toContain('hush');
});
