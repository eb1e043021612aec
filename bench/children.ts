import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

interface Load {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly connections: number;
  readonly seconds: number;
}
interface Loaded {
  readonly count: number;
  readonly seconds: number;
  readonly statuses: Readonly<Record<string, number>>;
}

/**
 * Requests answered per second, measured by a load generator in a separate process.
 * @throws when any was rejected.
 */
export async function requestsPerSecond(load: Load): Promise<number> {
  const child = spawn(process.execPath, ['bench/load.mjs', JSON.stringify(load)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { count, seconds, statuses } = JSON.parse(await text(child.stdout)) as Loaded;
  if (Object.keys(statuses).some((status) => status !== '200'))
    throw new Error(`bench: the server answered ${JSON.stringify(statuses)}`);
  return count / seconds;
}

/** A server of this folder in a separate process, which prints its port. */
export async function startServer(
  script: string,
  argument = '',
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const child: ChildProcess = spawn(process.execPath, [`bench/${script}`, argument], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (!child.stdout) throw new Error('bench: no output');
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    url: `http://127.0.0.1:${String(port).trim()}`,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
