import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, ExitWith, usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { writeFileAtomic } from '../../platform/atomic-file.ts';
import { shellQuoted } from '../../platform/shell-quoted.ts';
import { readClock } from './clock-mode.ts';
import { environmentWithPassword } from './environment.ts';
import { recordFile, recordText } from './record-file.ts';

export interface SandboxExecOptions {
  readonly command: readonly string[];
  readonly seed: number;
  readonly clock: string;
  readonly rateLimits: 'realistic' | 'off';
  readonly fixture?: string;
}

/** Runs a command against a temporary sandbox. @throws {ExitWith} the exit code of the command, if it is not 0. */
export async function sandboxExecCommand(ctx: Context, options: SandboxExecOptions): Promise<void> {
  const [program, ...args] = options.command;
  if (program === undefined)
    throw usageError(
      'no command to run',
      nextStep`specify the command after --: ${ucctl('sandbox exec -- npm test')}`,
    );
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
        // Sessions of a temporary account must not fill the user's keychain.
        UCCTL_STORE: 'file',
      };
      // `ucctl sandbox` commands that run in this environment find the sandbox through its record file.
      const record = recordFile({ ...ctx.paths, state: directories.UCCTL_STATE_DIR }, sandbox.ready.pid);
      await writeFileAtomic(record, recordText(sandbox.ready));
      // UCCTL_ACCESSIBLE is passed to the command, because it is a preference of the user and not of the account.
      const isInherited = (name: string): boolean =>
        name === 'UCCTL_ACCESSIBLE' || !name.startsWith('UCCTL_');
      const inherited = Object.fromEntries(Object.entries(ctx.env).filter(([name]) => isInherited(name)));
      const env = { ...inherited, ...directories, ...environmentWithPassword(sandbox.ready) };
      // An abort before the start of the command would not end the command.
      ctx.signal.throwIfAborted();
      const exit = await run(ctx, program, args, env);
      if (exit !== 0) throw new ExitWith(exit);
    } finally {
      await sandbox.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs the command. Returns its exit code, or 128 plus the number of the signal that ended the command. */
function run(
  ctx: Context,
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  return new Promise((done, failed) => {
    const child = spawn(program, args, { stdio: 'inherit', cwd: ctx.cwd, env });
    // The terminal also sends Ctrl-C to the command. A SIGTERM reaches only this process, which forwards it.
    ctx.signal.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
    child.on('error', (error) => {
      failed(
        new CommandError('command_not_started', Exit.local, `cannot run ${program}: ${startProblem(error)}`, {
          hint: startHint(error, program),
          cause: error,
        }),
      );
    });
    child.on('exit', (code, signal) => done(code ?? 128 + constants.signals[signal ?? 'SIGTERM']));
  });
}

function startProblem(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return 'command not found';
  if (error.code === 'EACCES') return 'file not executable';
  return error.message;
}

function startHint({ code }: NodeJS.ErrnoException, program: string): string {
  return code === 'EACCES'
    ? `make the file executable: chmod +x ${shellQuoted(program)}`
    : 'check the name of the command, or specify its path';
}
