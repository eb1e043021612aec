import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { lendToRuns } from '../../test/support/compiled-code.ts';

/** `webhook listen --no-subscribe` as a separate process whose state is in `folder`. */
export interface ListenerProcess {
  readonly child: ChildProcess;
  readonly url: string;
  /** Current memory of the process in MB. */
  megabytes(): number;
  /** Kills the process immediately with SIGKILL. */
  kill(): Promise<void>;
  /** Asks the process to shut down. */
  stop(): Promise<void>;
}

let started = 0;

/**
 * Starts a listener and waits until it is ready. The listener writes events to `stdout`. @throws if it is
 * not ready within a minute.
 */
export async function startListener(
  folder: string,
  stdout: 'ignore' | 'pipe' | number,
): Promise<ListenerProcess> {
  started += 1;
  const ready = join(folder, `ready-${started}.json`);
  const stdio: StdioOptions = ['ignore', stdout, 'inherit'];
  const environment = listenerEnvironment(folder);
  const takeBack = lendToRuns(environment);
  const child = spawn(
    execPath,
    ['bin/ucctl.cjs', 'webhook', 'listen', '--no-subscribe', '--ready-file', ready, '-o', 'ndjson', '-q'],
    { env: environment, stdio },
  );
  const exited = once(child, 'exit');
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    child.kill(signal);
    await exited;
    takeBack();
  };
  const until = performance.now() + 60_000;
  for (let url = readyUrl(ready); ; url = readyUrl(ready)) {
    if (url !== undefined) {
      return {
        child,
        url,
        megabytes: () => residentMegabytes(child.pid ?? 0),
        kill: () => end('SIGKILL'),
        stop: () => end('SIGTERM'),
      };
    }
    if (performance.now() > until) throw new Error('the listener did not become ready');
    await delay(10);
  }
}

/** The environment of the listener, which sends no request to a service. */
export function listenerEnvironment(folder: string) {
  return {
    PATH: env['PATH'] ?? '',
    HOME: folder,
    UCCTL_STATE_DIR: folder,
    UCCTL_CONFIG_DIR: folder,
    UCCTL_BASE_URL: 'http://127.0.0.1:9',
    UCCTL_TOKEN: 'unused',
  };
}

function readyUrl(file: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { url: string }).url;
  } catch {
    return undefined;
  }
}

/** Memory of a process in MB. NaN on systems other than Linux. */
export function residentMegabytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}
