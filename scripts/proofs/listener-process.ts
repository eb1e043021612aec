import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';

/** `webhook listen --no-subscribe` as a process of its own, whose state lies in `folder`. */
export interface ListenerProcess {
  readonly child: ChildProcess;
  readonly url: string;
  /** Memory that it holds now, in MB. */
  megabytes(): number;
  /** Ends it on the spot, as a power cut would. */
  kill(): Promise<void>;
  /** Asks it to end. */
  stop(): Promise<void>;
}

let started = 0;

/** Starts one and waits until it says that it is ready. `stdout` is where it shows events. @throws when it is not ready within a minute. */
export async function startListener(
  folder: string,
  stdout: 'ignore' | 'pipe' | number,
): Promise<ListenerProcess> {
  started += 1;
  const ready = join(folder, `ready-${started}.json`);
  const stdio: StdioOptions = ['ignore', stdout, 'inherit'];
  const child = spawn(
    execPath,
    ['bin/ucctl.cjs', 'webhook', 'listen', '--no-subscribe', '--ready-file', ready, '-o', 'ndjson', '-q'],
    { env: listenerEnvironment(folder), stdio },
  );
  const exited = once(child, 'exit');
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    child.kill(signal);
    await exited;
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

/** What the program needs to run there; it never gets to a service. */
export function listenerEnvironment(folder: string) {
  return {
    PATH: env['PATH'],
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

/** Linux only; NaN elsewhere. */
function residentMegabytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}
