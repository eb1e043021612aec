import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/**
 * Starts many at once and waits for all. A shell does it: starting hundreds of processes from here would keep this one, in which the sandbox lives,
 * from answering any of them.
 */
export async function runCrowd(
  count: number,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<readonly Ended[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-crowd-'));
  const script = `i=0; while [ $i -lt ${count} ]; do
    ( "$@" >${folder}/$i.out 2>${folder}/$i.err </dev/null; echo $? >${folder}/$i.exit ) & i=$((i+1)); done; wait`;
  const started = Date.now();
  try {
    const shell = spawn('sh', ['-c', script, 'sh', execPath, 'bin/ucctl.cjs', ...args], {
      env: { PATH: own['PATH'] ?? '', ...env },
      stdio: 'ignore',
    });
    await new Promise<void>((resolve, reject) => {
      shell.once('error', reject);
      shell.once('close', () => resolve());
    });
    return Array.from({ length: count }, (_, index) => {
      const read = (kind: string): string => readFileSync(join(folder, `${index}.${kind}`), 'utf8');
      const milliseconds = statSync(join(folder, `${index}.exit`)).mtimeMs - started;
      return { exit: Number(read('exit')), stdout: read('out'), stderr: read('err'), milliseconds };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
