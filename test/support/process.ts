import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { env as own, execPath } from 'node:process';
import { lendToRuns } from './compiled-code.ts';
import { checkShown, secretsOf, secretsOfEnvironment } from './secrets.ts';

/** Standard input stays open; the caller writes to it. */
export const open = Symbol('open');

export interface ProcessOptions {
  /** The whole environment except the path. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Its standard input; none by default. */
  readonly input?: string | typeof open;
  /** Secrets that the process receives in other ways than its environment or `input` for a `--...-stdin`, by name. */
  readonly secrets?: Readonly<Record<string, string>>;
}

export interface Ended {
  readonly exit: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly milliseconds: number;
}

export interface Started {
  readonly child: ChildProcessWithoutNullStreams;
  /** Rejects when a secret of the process appears in its output or in its command line. */
  readonly ended: Promise<Ended>;
}

/**
 * Starts a process. All tests and proofs start processes here, so that the output of each is searched for its
 * secrets, and the program starts with the compiled code of the test run.
 */
export function startProcess(
  command: string,
  args: readonly string[],
  { env = {}, cwd, input = '', secrets = {} }: ProcessOptions = {},
): Started {
  const takeBack = lendToRuns(env);
  const started = performance.now();
  const child = spawn(command, args, {
    env: { PATH: own['PATH'] ?? '', ...env },
    stdio: 'pipe',
    ...(cwd !== undefined && { cwd }),
  });
  // The process may exit before it has read all input.
  child.stdin.on('error', () => undefined);
  if (input !== open) child.stdin.end(input);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (stdout += piece));
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (stderr += piece));
  const typed = input !== open && args.some((word) => word.endsWith('-stdin')) ? input.split(/\r?\n/) : [];
  const known = new Map([
    ...secretsOfEnvironment(env),
    ...secretsOf(Object.entries(secrets)),
    ...secretsOf(typed.map((line) => ['a line of standard input', line])),
  ]);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exit, signal) => {
      takeBack();
      try {
        checkShown(known, [command, ...args], { stdout, stderr });
        resolve({ exit, signal, stdout, stderr, milliseconds: performance.now() - started });
      } catch (error) {
        reject(error);
      }
    });
  });
  return { child, ended };
}

/** Starts the built program. */
export function startUcctl(args: readonly string[], options: ProcessOptions = {}): Started {
  return startProcess(execPath, ['bin/ucctl.cjs', ...args], options);
}
