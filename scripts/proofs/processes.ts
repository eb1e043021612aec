import { spawn, type ChildProcess } from 'node:child_process';
import { env as own, execPath } from 'node:process';

export const open = Symbol('standard input stays open');

export interface Ended {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly milliseconds: number;
}
export interface Run {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/**
 * Starts the built program as a process of its own, with nothing of this process's environment but the path. Its standard input is `input`; `open`
 * leaves it to the caller.
 */
export function startUcctl(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input: string | typeof open = '',
): Run {
  const started = performance.now();
  const child = spawn(execPath, ['bin/ucctl.cjs', ...args], {
    env: { PATH: own['PATH'] ?? '', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => undefined);
  if (input !== open) child.stdin.end(input);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (piece: Buffer) => (stdout += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()));
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (exit) =>
      resolve({ exit, stdout, stderr, milliseconds: performance.now() - started }),
    );
  });
  return { child, ended };
}
