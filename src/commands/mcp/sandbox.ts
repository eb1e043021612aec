import { ownProcess } from '../../platform/own-process.ts';
import type { Context } from '../../runtime/context.ts';
import type { Input, Sink } from '../../runtime/streams.ts';
import { CommandError, Exit, ExitWith } from '../../errors/command.ts';

/** Whether this process runs in `sandbox exec`, which sets the address and the user of its sandbox. */
export function isInSandbox({ env }: Context): boolean {
  return env['UCCTL_SANDBOX_USERNAME'] !== undefined;
}

/** Starts a sandbox, and in it this command again. @throws {ExitWith} its exit code, when it is not 0. */
export async function serveInSandbox(ctx: Context): Promise<void> {
  if (ctx.program === undefined)
    throw new CommandError('sandbox_not_started', Exit.local, 'the path of ucctl is unknown', {
      hint: 'reinstall ucctl',
    });
  const exit = await ctx.run([
    'sandbox',
    'exec',
    '--',
    ownProcess.executable,
    ...(ctx.program === ownProcess.executable ? [] : [ctx.program]),
    'mcp',
    '--sandbox',
  ]);
  if (exit !== Exit.ok) throw new ExitWith(exit);
}

/** Signs in to the sandbox as its administrator. */
export async function signInToSandbox(ctx: Context): Promise<void> {
  const assertion = await text(ctx, [
    'sandbox',
    'assertion',
    '100',
    '-o',
    'tsv',
    '--fields',
    'assertion',
    '--no-header',
  ]);
  await text(ctx, ['login', '--flow', 'jwt', '--assertion-stdin', '--store', 'file'], assertion);
}

/** The output of a command line. @throws {CommandError} with its messages, when it fails. */
async function text(ctx: Context, words: readonly string[], input = ''): Promise<string> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const exit = await ctx.run(words, {
    streams: { stdin: inputOf(input), stdout: sinkOf(stdout), stderr: sinkOf(stderr), signal: ctx.signal },
  });
  if (exit !== Exit.ok)
    throw new CommandError(
      'sandbox_not_started',
      Exit.local,
      `cannot sign in to the sandbox: ${stderr.join('').trim()}`,
    );
  return stdout.join('');
}

function inputOf(content: string): Input {
  return {
    isTerminal: false,
    text: () => Promise.resolve(content),
    bytes: () => Promise.resolve(Buffer.from(content)),
    async *lines() {
      yield* content.split('\n').filter((line) => line !== '');
    },
  };
}

function sinkOf(pieces: string[]): Sink {
  return {
    isTerminal: false,
    columns: undefined,
    write: (piece) => {
      pieces.push(piece);
      return Promise.resolve();
    },
  };
}
