import { ownProcess } from '../../platform/own-process.ts';
import { inputOf, Pieces, sinkTo } from '../../runtime/captured.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, ExitWith } from '../../errors/command.ts';

/**
 * Returns whether this process runs in `sandbox exec`, which sets this variable in each dialect. `sandbox env` does not
 * set it: the server must not sign in with the folders of the user.
 */
export function isInSandbox({ env }: Context): boolean {
  return env['UCCTL_SANDBOX_PASSWORD'] !== undefined;
}

/**
 * Starts a sandbox, and runs this command again in the environment of the sandbox. If no setting selects a dialect, the
 * sandbox has dialect `current`, because an agent cannot start another one for the tools that need it. @throws {ExitWith} the exit code of
 * the command, if it is not 0.
 */
export async function serveInSandbox(ctx: Context): Promise<void> {
  if (ctx.program === undefined)
    throw new CommandError(
      'sandbox_not_started',
      Exit.local,
      'cannot start the sandbox: the path of ucctl is unknown',
      {
        hint: 'reinstall ucctl',
      },
    );
  const exit = await ctx.run([
    'sandbox',
    'exec',
    ...(ctx.settings.dialect.origin === 'default' ? ['--dialect', 'current'] : []),
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

/** Returns the output of a command line. @throws {CommandError} with the messages of the command, if it fails. */
async function text(ctx: Context, words: readonly string[], input = ''): Promise<string> {
  const stdout = new Pieces();
  const stderr = new Pieces();
  const exit = await ctx.run(words, {
    streams: { stdin: inputOf(input), stdout: sinkTo(stdout), stderr: sinkTo(stderr), signal: ctx.signal },
  });
  if (exit !== Exit.ok)
    throw new CommandError(
      'sandbox_not_started',
      Exit.local,
      `cannot sign in to the sandbox: ${stderr.text.trim()}`,
    );
  return stdout.text;
}
