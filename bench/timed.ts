import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

export interface Timed {
  readonly seconds: number;
  /** Peak memory in MB; NaN for programs other than ucctl. */
  readonly megabytes: number;
}

/** Runs `ucctl` with a server and measures its time and peak memory. */
export function timeUcctl(folder: string, baseUrl: string, args: readonly string[], token = 'bench'): Timed {
  const peak = join(folder, 'peak');
  const env = {
    ...process.env,
    UCCTL_BASE_URL: baseUrl,
    UCCTL_TOKEN: token,
    UCCTL_STATE_DIR: folder,
    UCCTL_CONFIG_DIR: folder,
    UCCTL_BENCH_PEAK: peak,
    NODE_OPTIONS: '--require=./bench/peak-memory.cjs',
    NODE_EXTRA_CA_CERTS: '',
  };
  const seconds = timeCommand(['node', 'bin/ucctl.cjs', ...args], env);
  return { seconds, megabytes: Number(readFileSync(peak, 'utf8')) };
}

/** Wall time of a command. @throws when it fails. */
export function timeCommand([command, ...args]: readonly [string, ...string[]], env = process.env): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(command, args, {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0) {
    throw new Error(`bench: ${command} ${args.join(' ')} ended with ${status}: ${stderr.slice(-500)}`);
  }
  return (performance.now() - start) / 1000;
}

/** Whether a program to compare with is installed. */
export function hasCommand(name: string): boolean {
  return spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0;
}

/** The server of files and call records, as a separate process. */
export async function startMediaServer(
  records = 0,
): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const env = { ...process.env, UCCTL_BENCH_RECORDS: String(records) };
  const child = spawn('node', ['bench/media-server.mjs'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: `http://127.0.0.1:${line.toString().trim()}`, child };
}
