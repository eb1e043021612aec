import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { interruptExit } from '../../src/cli/interrupt-exit.ts';
import { Interrupted } from '../../src/errors/interrupted.ts';
import { createPrompt } from '../../src/cli/prompt.ts';
import { nounWith } from '../support/example-noun.ts';
import type { Prompt } from '../../src/runtime/context.ts';
import { runUcctl } from '../support/run-ucctl.ts';
import { eventually } from '../support/eventually.ts';

const asks = nounWith(async (ctx) => {
  const yes = await ctx.prompt.confirm('Ring 12 people?');
  ctx.out.note(String(yes));
});

describe('a confirmation', () => {
  it.each([
    ['in a pipe', 'book put 1', {}],
    ['under --no-input', 'book put 1 --no-input', { terminal: true }],
  ])('that is not possible %s exits with 9 and names the flag', async (_name, argv, options) => {
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

it('names the flag for a missing value', async () => {
  const nouns = nounWith(async (ctx) => {
    await ctx.prompt.secret('Password?', '--password-stdin');
  });
  const { exit, stderr } = await runUcctl('book list -o json', { nouns });
  expect(exit).toBe(9);
  expect(JSON.parse(stderr)).toMatchObject({
    error: { code: 'input_needed', hint: 'use --password-stdin' },
  });
});

/** Somebody at a terminal: what the prompt shows, and keys to answer with. */
function atTerminal(
  settings: {
    readonly plain?: boolean;
    readonly signal?: AbortSignal;
    /** Called when the prompt writes, which fails if this throws. */
    readonly onWrite?: (text: string) => void;
  } = {},
) {
  const input = new PassThrough();
  const output = new PassThrough();
  const raw: boolean[] = [];
  let shown = '';
  output.on('data', (piece: Buffer) => {
    shown += piece.toString();
  });
  Object.assign(input, { setRawMode: (on: boolean) => raw.push(on) });
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
      write: async (text) => {
        settings.onWrite?.(text);
        output.write(text);
      },
      stream: output as unknown as NodeJS.WriteStream,
    },
    noInput: false,
    yes: false,
    signal: settings.signal ?? new AbortController().signal,
    plain: settings.plain ?? false,
    settled: async () => undefined,
  });
  return { prompt, input, raw, shown: () => shown };
}

it('asks on stderr and keeps a secret off the screen', async () => {
  const { prompt, input, shown } = atTerminal();
  const answer = prompt.secret('Password for \x1b[2Jme?', '--password-stdin');
  await eventually(() => expect(shown()).toContain('Password for ␛[2Jme?'));
  input.write('hush\r');
  expect(await answer).toBe('hush');
  expect(shown()).not.toContain('hush');
});

it('removes the spaces around a text, and asks again for an empty text', async () => {
  const { prompt, input, shown } = atTerminal();
  const answer = prompt.text('Client ID', '--client-id');
  await eventually(() => expect(shown()).toContain('Client ID'));
  input.write(' \r');
  await eventually(() => expect(shown()).toContain('You must provide a value'));
  input.write('sandbox\t \r');
  expect(await answer).toBe('sandbox');
});

it('asks again for an empty secret', async () => {
  const { prompt, input, shown } = atTerminal();
  const answer = prompt.secret('Password', '--password-stdin');
  await eventually(() => expect(shown()).toContain('Password'));
  input.write('\r');
  await eventually(() => expect(shown()).toContain('You must provide a value'));
  input.write('hush\r');
  expect(await answer).toBe('hush');
});

it.each([
  ['a confirmation', (prompt: Prompt) => prompt.confirm('Ring 12 people?')],
  ['a text', (prompt: Prompt) => prompt.text('Client ID', '--client-id')],
  ['a secret', (prompt: Prompt) => prompt.secret('Password', '--password-stdin')],
  ['a few choices', (prompt: Prompt) => prompt.choose('How?', choices, '--flow')],
] as const)('ends at Esc as at Ctrl-C: %s', async (_name, ask) => {
  const { prompt, input, shown } = atTerminal();
  const answer = ask(prompt).catch((error: unknown) => error);
  await eventually(() => expect(shown()).toContain('?'));
  input.write('\u001B');
  expect(interruptExit(await answer, new AbortController().signal)).toBe(130);
});

const choices = [
  { value: 'code', label: 'In the browser' },
  { value: 'jwt', label: 'With an assertion' },
] as const;

it.each([
  ['the first choice', '\r', 'code'],
  ['the choice of the arrow keys', '\x1b[B\r', 'jwt'],
])('offers a few choices: %s', async (_name, keys, expected) => {
  const { prompt, input, shown } = atTerminal();
  const answer = prompt.choose('How?', choices, '--flow');
  await eventually(() => expect(shown()).toContain('With an assertion'));
  input.write(keys);
  expect(await answer).toBe(expected);
});

describe('questions under --accessible and TERM=dumb', () => {
  it('are one line each, and nothing is redrawn', async () => {
    const { prompt, input, shown } = atTerminal({ plain: true });
    const name = prompt.text('Name \x1b[2J', '--name');
    await eventually(() => expect(shown()).toBe('Name ␛[2J: '));
    input.write('\nDana\n');
    expect(await name).toBe('Dana');
    const yes = prompt.confirm('Ring 12 people?');
    await eventually(() => expect(shown()).toBe('Name ␛[2J: Name ␛[2J: Ring 12 people? (y/N) '));
    input.write('Y\n');
    expect(await yes).toBe(true);
  });

  it.each(['\n', 'n\n', 'nay\n'])('are not confirmed by %j', async (typed) => {
    const { prompt, input, shown } = atTerminal({ plain: true });
    const yes = prompt.confirm('Ring 12 people?');
    await eventually(() => expect(shown()).toContain('(y/N)'));
    input.write(typed);
    expect(await yes).toBe(false);
  });

  it.each([
    ['\n', 'code'],
    ['3\nx\n2\n', 'jwt'],
  ])('offer choices by their number: %j', async (keys, expected) => {
    const { prompt, input, shown } = atTerminal({ plain: true });
    const answer = prompt.choose('How?', choices, '--flow');
    await eventually(() =>
      expect(shown()).toBe('1 In the browser\n2 With an assertion\nHow? (1-2, default: 1) '),
    );
    input.write(keys);
    expect(await answer).toBe(expected);
  });

  it('do not show a secret, whose last characters can be deleted', async () => {
    const { prompt, input, raw, shown } = atTerminal({ plain: true });
    const secret = prompt.secret('Password', '--password-stdin');
    await eventually(() => expect(shown()).toBe('Password (not shown): '));
    // Arrow keys, Delete and Tab do not change the secret.
    const keys = ['wrong\u0015', 'hü\u001B[D', 'x\u001BOC\u007F', '\u001B[3~s\u001B[1;5A\th', '\r'];
    for (const piece of keys) input.write(piece);
    expect(await secret).toBe('hüsh');
    expect([shown(), raw]).toEqual(['Password (not shown): \n', [true, false]]);
  });

  it('are hidden from the terminal before the question for a secret appears, so that no paste is shown', async () => {
    const order: unknown[] = [];
    const { prompt, input } = atTerminal({ plain: true, onWrite: (text) => order.push(text) });
    Object.assign(input, { setRawMode: (isRaw: boolean) => order.push(isRaw) });
    input.write('hush\r');
    expect(await prompt.secret('Password', '--password-stdin')).toBe('hush');
    expect(order).toEqual([true, 'Password (not shown): ', false, '\n']);
  });

  it('leave the terminal as it was if the question for a secret cannot be written', async () => {
    const onWrite = () => {
      throw new Error('EIO');
    };
    const { prompt, raw } = atTerminal({ plain: true, onWrite });
    await expect(prompt.secret('Password', '--password-stdin')).rejects.toThrow('EIO');
    expect(raw).toEqual([true, false]);
  });

  it('ask again for an empty secret', async () => {
    const { prompt, input, shown } = atTerminal({ plain: true });
    const secret = prompt.secret('Password', '--password-stdin');
    await eventually(() => expect(shown()).toContain('Password'));
    input.write('\r');
    await eventually(() => expect(shown()).toBe('Password (not shown): \nPassword (not shown): '));
    input.write('hush\r');
    expect(await secret).toBe('hush');
  });

  it.each([
    ['Ctrl-C at a secret', 'secret', (input: PassThrough) => input.write('a\u0003')],
    ['Esc at a secret', 'secret', (input: PassThrough) => input.write('a\u001B')],
    ['the end of input at a secret', 'secret', (input: PassThrough) => input.end()],
    ['the end of input at a line', 'text', (input: PassThrough) => input.end()],
  ] as const)('end with %s as with Ctrl-C', async (_name, kind, act) => {
    const { prompt, input, shown } = atTerminal({ plain: true });
    const answer = prompt[kind]('Password', '--flag').catch((error: unknown) => error);
    await eventually(() => expect(shown()).toContain('Password'));
    act(input);
    expect(interruptExit(await answer, new AbortController().signal)).toBe(130);
    expect(shown()).toMatch(/\n$/);
  });

  it.each(['secret', 'text'] as const)('end with the run: %s', async (kind) => {
    const stop = new AbortController();
    const { prompt, shown } = atTerminal({ plain: true, signal: stop.signal });
    const answer = prompt[kind]('Password', '--flag').catch((error: unknown) => error);
    await eventually(() => expect(shown()).toContain('Password'));
    stop.abort(new Interrupted('SIGTERM'));
    expect(interruptExit(await answer, stop.signal)).toBe(143);
  });
});
