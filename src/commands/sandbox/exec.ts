import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, ExitWith, usageError } from '../../errors/command.ts';
import { writeFileAtomic } from '../../platform/atomic-file.ts';
import { readClock } from './clock-mode.ts';
import { environmentWithPassword } from './environment.ts';
import { recordFile } from './record-file.ts';

export interface SandboxExecOptions {
  readonly command: readonly string[];
  readonly seed: number;
  readonly clock: string;
  readonly rateLimits: 'realistic' | 'off';
  readonly fixture?: string;
}

/** Runs a command with a sandbox of its own. @throws {ExitWith} the command's exit code, when it is not 0. */
export async function sandboxExecCommand(ctx: Context, options: SandboxExecOptions): Promise<void> {
  const [program, ...args] = options.command;
  if (program === undefined) throw usageError('give the command after --');
  const { seed, rateLimits, fixture } = options;
  const clock = readClock(options.clock);
  const { startSandbox } = await import('../../sandbox/index.ts');
  const folder = await mkdtemp(join(tmpdir(), 'ucctl-exec-'));
  try {
    const sandbox = await startSandbox({
      seed,
      rateLimits,
      clock,
      dialect: ctx.settings.dialect.value,
      validateReplies: false,
      ...(fixture !== undefined && { fixture }),
    });
    try {
      const directories = {
        UCCTL_CONFIG_DIR: join(folder, 'config'),
        UCCTL_STATE_DIR: join(folder, 'state'),
        UCCTL_CACHE_DIR: join(folder, 'cache'),
        UCCTL_DATA_DIR: join(folder, 'data'),
        // Nothing of a throw-away account belongs in a keychain.
        UCCTL_STORE: 'file',
      };
      // So that the commands inside find this sandbox: its clock, triggers, phones, faults.
      const record = recordFile({ ...ctx.paths, state: directories.UCCTL_STATE_DIR }, sandbox.ready.pid);
      await writeFileAtomic(record, JSON.stringify(sandbox.ready));
      // How somebody reads has nothing to do with the account.
      const isInherited = (name: string): boolean =>
        name === 'UCCTL_ACCESSIBLE' || !name.startsWith('UCCTL_');
      const inherited = Object.fromEntries(Object.entries(ctx.env).filter(([name]) => isInherited(name)));
      const env = { ...inherited, ...directories, ...environmentWithPassword(sandbox.ready) };
      const exit = await run(ctx, program, args, env);
      if (exit !== 0) throw new ExitWith(exit);
    } finally {
      await sandbox.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The exit code of the command; 128 and the signal's number when one ended it. */
function run(
  ctx: Context,
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  return new Promise((done, failed) => {
    const child = spawn(program, args, { stdio: 'inherit', cwd: ctx.cwd, env });
    // Ctrl-C reaches the command by itself; a SIGTERM that only we got is passed on.
    ctx.signal.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
    child.on('error', (error) => {
      failed(
        new CommandError('command_not_started', Exit.local, `cannot run ${program}: ${error.message}`, {
          cause: error,
        }),
      );
    });
    child.on('exit', (code, signal) => done(code ?? 128 + constants.signals[signal ?? 'SIGTERM']));
  });
}
