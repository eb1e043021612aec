import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { openReadOnly } from '../src/platform/sqlite/read-only.ts';
import { residentMegabytes } from '../scripts/proofs/listener-process.ts';

/** A monotonic time that is the same in all processes of the machine. */
export function milliseconds(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** The service in a separate process, with one client. */
class Service {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #subscribed: Promise<void>;
  #runs = 0;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
    this.#subscribed = this.#next('subscribed').then(() => undefined);
    this.#subscribed.catch(() => undefined);
  }

  static async start(): Promise<Service> {
    const child = fork('bench/socket-server.mjs');
    const [message] = (await once(child, 'message')) as [{ readonly port: number }];
    return new Service(child, `http://127.0.0.1:${message.port}`);
  }

  async subscribed(): Promise<void> {
    await this.#subscribed;
  }

  /** Starts a run and returns its start time. */
  async send(count: number, perSecond?: number): Promise<number> {
    this.#runs += 1;
    const started = this.#next('started');
    this.#child.send({ count, rate: perSecond, prefix: `run${this.#runs}` });
    return (await started).at;
  }

  async stop(): Promise<void> {
    this.#child.disconnect();
    await once(this.#child, 'exit');
  }

  #next(kind: string): Promise<{ readonly at: number }> {
    return new Promise((resolve) => {
      const listen = (message: { readonly kind: string; readonly at: number }): void => {
        if (message.kind !== kind) return;
        this.#child.off('message', listen);
        resolve(message);
      };
      this.#child.on('message', listen);
    });
  }
}

/** A client in a separate process, and its service. */
export interface SocketClient {
  /** Notifications per second at saturation. */
  rate(count: number): Promise<number>;
  /** Milliseconds from sending a notification to its line on stdout, in ascending order. */
  waits(count: number, perSecond: number): Promise<readonly number[]>;
  megabytes(): number;
  stop(): Promise<void>;
}

/** @param received the number of notifications that the client has received so far. */
function clientOf(service: Service, client: ChildProcess, received: () => number): SocketClient {
  const exited = once(client, 'exit');
  const lines = client.stdout ? createInterface(client.stdout) : undefined;
  const waits: number[] = [];
  lines?.on('line', (line) => {
    const at = milliseconds();
    const sentAt = /"sentAt":"(\d+\.\d+)"/.exec(line)?.[1];
    if (sentAt !== undefined) waits.push(at - Number(sentAt));
  });
  const until = async (isDone: () => boolean): Promise<void> => {
    while (!isDone()) {
      if (client.exitCode !== null) throw new Error('bench: the client ended');
      await delay(1);
    }
  };
  return {
    async rate(count) {
      const target = received() + count;
      const start = await service.send(count);
      await until(() => received() >= target);
      const perSecond = count / ((milliseconds() - start) / 1000);
      // ucctl shows the last events after it has stored all of them; the other client must not be slowed down by that.
      await untilIdle(client.pid ?? 0);
      return perSecond;
    },
    async waits(count, perSecond) {
      waits.length = 0;
      await service.send(count, perSecond);
      await until(() => waits.length >= count);
      return waits.toSorted((a, b) => a - b);
    },
    megabytes: () => residentMegabytes(client.pid ?? 0),
    async stop() {
      client.kill('SIGTERM');
      await exited;
      lines?.close();
      await service.stop();
    },
  };
}

/** Waits until a process uses no processor time, at most a minute. */
async function untilIdle(pid: number): Promise<void> {
  const ticks = (): string =>
    readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13).join(' ') ?? '';
  for (let turn = 0, before = ''; turn < 200 && before !== ticks(); turn += 1) {
    before = ticks();
    await delay(300);
  }
}

/** `webhook listen`, whose received notifications are those in its inbox. */
export async function startOwnClient(
  folder: string,
  name: string,
  stdout: 'ignore' | 'pipe',
): Promise<SocketClient> {
  const service = await Service.start();
  const state = join(folder, name);
  const words = ['webhook', 'listen', '--transport', 'websocket', '-o', 'ndjson', '-q'];
  const client = spawn(execPath, ['bin/ucctl.cjs', ...words], {
    stdio: ['ignore', stdout, 'inherit'],
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      UCCTL_STATE_DIR: state,
      UCCTL_CONFIG_DIR: state,
      UCCTL_BASE_URL: service.url,
      UCCTL_TOKEN: 'token-of-the-benchmark',
      UCCTL_DIALECT: 'current',
    },
  });
  await service.subscribed();
  const file = join(state, 'inbox', 'default.db');
  if (!existsSync(file)) throw new Error(`bench: no inbox at ${file}`);
  const inbox = openReadOnly(file);
  const last = inbox.prepare('SELECT coalesce(max(id), 0) AS last FROM event');
  const one = clientOf(service, client, () => (last.get() as { readonly last: number }).last);
  return {
    ...one,
    async stop() {
      inbox.close();
      await one.stop();
    },
  };
}

/** A bare client, whose received notifications are the last number on its stdout. */
export async function startBareClient(output: 'count' | 'lines'): Promise<SocketClient> {
  const service = await Service.start();
  const client = spawn(execPath, ['bench/bare-socket.mjs', service.url, output], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await service.subscribed();
  let received = 0;
  if (output === 'count') {
    client.stdout.on('data', (data: Buffer) => {
      received = Number(String(data).trim().split('\n').at(-1));
    });
  }
  return clientOf(service, client, () => received);
}
