import { describe, expect, it } from 'vitest';
import { initCommand } from '../../../src/commands/init/init.command.ts';
import { initialize } from '../../../src/commands/init/init.ts';
import { queueNoun } from '../../../src/commands/queue/noun.command.ts';
import type { Context } from '../../../src/runtime/context.ts';
import { readConfigFile } from '../../../src/config/index.ts';
import { type Hint, hintText } from '../../../src/errors/hint.ts';
import { CommandError, Exit, ExitWith } from '../../../src/errors/command.ts';
import { runUcctl } from '../../support/run-ucctl.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

const nouns = [
  { name: 'init', summary: '', section: 'Account and setup', commands: [initCommand] } as const,
  queueNoun,
];

describe('init', () => {
  it('shows the queues to a signed-in user, in any format', async () => {
    const { run } = await openOffice();
    const { exit, stdout, stderr } = await run('init -o json', { nouns, terminal: 120 });
    expect(exit).toBe(0);
    expect((JSON.parse(stdout) as { name: string }[]).map(({ name }) => name)).toContain('Support');
    expect(stderr).toContain('signed in to');
    expect(stderr).toContain('ucctl completion install');
  });

  it('without a terminal names the commands for scripts, and asks nothing', async () => {
    const { exit, stdout, stderr } = await runUcctl('init', { nouns });
    expect({ exit, stdout }).toEqual({ exit: 9, stdout: '' });
    expect(stderr).toContain('ucctl login --base-url URL --client-id YOUR_APP');
  });

  it('offers to store the session in a file if there is no keychain', async () => {
    const { ctx, asked, ran, noted } = atTerminal({ hasKeychain: false });
    await initialize(ctx);
    expect(asked).toEqual(['How do you want to sign in?', expect.stringContaining('plain text file')]);
    // The sign-in does not fail first, so no error comes before the question.
    expect(noted).toContain('no keychain');
    expect(ran).toEqual([
      'login --base-url http://127.0.0.1:1 --store file',
      'queue list -o table --base-url http://127.0.0.1:1',
    ]);
  });

  it.each([
    ['the browser', { answer: 'code' }, '', true],
    ['an assertion', { answer: 'jwt' }, ' --flow jwt', true],
    ['the assertion of the environment', { env: { UCCTL_ASSERTION: 'a.b.c' } }, ' --flow jwt', false],
    [
      'the password in a sandbox',
      { env: { UCCTL_SANDBOX_USERNAME: 'me' } },
      ' --flow password --username me',
      false,
    ],
  ])('signs in with %s', async (_title, given, flow, asks) => {
    const { ctx, asked, ran } = atTerminal(given);
    await initialize(ctx);
    expect(asked).toEqual(asks ? ['How do you want to sign in?'] : []);
    expect(ran[0]).toBe(`login${flow} --base-url http://127.0.0.1:1`);
  });
});

it('init fails with the error of the keychain if the user does not want a file', async () => {
  const { ctx, ran } = atTerminal({ hasKeychain: false, confirms: false });
  await expect(initialize(ctx)).rejects.toThrow('no keychain');
  expect(ran).toEqual([]);
});

it('init stores the address that the user typed, also if the sign-in fails', async () => {
  const { ctx, noted } = atTerminal({ addresses: ['https://service.example/'], exits: [4] });
  await expect(initialize(ctx)).rejects.toBeInstanceOf(ExitWith);
  const { current, profiles } = await readConfigFile(ctx.paths);
  expect([current, profiles]).toEqual(['default', { default: { baseUrl: 'https://service.example' } }]);
  expect(noted.join()).toContain('ucctl config set base-url');
});

it('init stores no address that a flag or a variable sets', async () => {
  const { ctx } = atTerminal({ exits: [4] });
  await expect(initialize(ctx)).rejects.toBeInstanceOf(ExitWith);
  expect((await readConfigFile(ctx.paths)).profiles).toEqual({});
});

it('init asks again for an address that is not valid, before the next question', async () => {
  const addresses = ['service.example', 'http://service.example', 'https://service.example'];
  const { ctx, asked, ran, warned } = atTerminal({ addresses });
  await initialize(ctx);
  expect(asked).toEqual(['How do you want to sign in?']);
  expect(warned).toEqual([
    '"service.example" is not a valid https:// address; did you mean https://service.example?',
    expect.stringContaining('which ucctl allows only for this machine'),
  ]);
  expect(ran[0]).toBe('login --base-url https://service.example');
});

/** A terminal without a keychain, whose user answers the choice of the sign-in. */
function atTerminal(given: {
  readonly answer?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly exits?: readonly number[];
  readonly hasKeychain?: boolean;
  readonly confirms?: boolean;
  /** The answers to the question for the address, in order. By default, the address is a setting. */
  readonly addresses?: readonly string[];
}): {
  readonly ctx: Context;
  readonly asked: readonly string[];
  readonly ran: readonly string[];
  readonly warned: readonly string[];
  readonly noted: readonly string[];
} {
  const ran: string[] = [];
  const warned: string[] = [];
  const noted: string[] = [];
  const typed = given.addresses?.values();
  const asked: string[] = [];
  const { answer = 'code', env = {}, exits = [0, 0], hasKeychain = true, confirms = true } = given;
  const noKeychain = (): Promise<never> =>
    Promise.reject(new CommandError('keychain_missing', Exit.local, 'no keychain'));
  const context = {
    env,
    settings: {
      profile: { value: 'default', origin: 'default' },
      baseUrl: typed
        ? { value: undefined, origin: 'default' }
        : { value: 'http://127.0.0.1:1', origin: 'env' },
      dialect: { value: 'spec', origin: 'default' },
      token: { value: undefined },
      store: { value: 'keychain' },
    },
    prompt: {
      available: true,
      text: () => Promise.resolve(typed?.next().value ?? ''),
      choose: (question: string) => Promise.resolve(asked.push(question) > 0 && answer),
      confirm: (question: string) => Promise.resolve(asked.push(question) > 0 && confirms),
    },
    paths: temporaryPaths(),
    out: {
      format: 'table',
      show: () => undefined,
      note: (text: Hint) => noted.push(hintText(text)),
      warn: (text: string) => warned.push(text),
    },
    auth: () =>
      Promise.resolve({
        describe: () => (hasKeychain ? Promise.resolve(undefined) : noKeychain()),
        preflightSignIn: () => (hasKeychain ? Promise.resolve() : noKeychain()),
      }),
    run: (argv: readonly string[]) => Promise.resolve(exits[ran.push(argv.join(' ')) - 1] ?? 1),
  };
  return { ctx: context as unknown as Context, asked, ran, warned, noted };
}
