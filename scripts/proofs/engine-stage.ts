import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { connectStore, initializeStore, type Postgres } from '../../src/store/index.ts';
import { freePort } from '../../test/support/free-port.ts';
import { startLoadBalancer, type LoadBalancer } from '../../test/support/load-balancer.ts';
import { startNats, type NatsServer } from '../../test/support/nats.ts';
import { natsClient, suitable } from '../../test/support/nats-stream.ts';
import { startPostgres, type PostgresCluster } from '../../test/support/postgres-cluster.ts';
import { startUcctl, type Started } from '../../test/support/process.ts';
import { signInAs } from '../../test/support/sandbox.ts';
import { createProcessed } from './processing-program.ts';

/** Nanoseconds for which the streams know the ID of a message: the least that the server accepts. */
const duplicateWindow = 100_000_000;
/** The stream of the receivers, the stream of a consumer, and a stream that shows when the window has ended. */
export const streams = ['EVENTS', 'COPIES', 'WINDOW'] as const;

const restartMilliseconds = 200;
const mostRestarts = 50;

interface Parts {
  readonly server: PostgresCluster;
  readonly nats: NatsServer;
  readonly sandbox: Sandbox;
  readonly db: Postgres;
  readonly token: string;
  readonly client: Awaited<ReturnType<typeof natsClient>>;
  readonly balancers: { readonly store: LoadBalancer; readonly stream: LoadBalancer };
}

/** A service, a store, a stream server, and the processes that use them. */
export class EngineStage {
  readonly parts: Parts;
  /** How often a process ended by itself and was started again. */
  restarts = 0;
  readonly #running = new Set<Started>();
  #isClosed = false;
  #lastEnd = '';
  readonly #folder = mkdtempSync(join(tmpdir(), 'ucctl-engine-kill-'));

  private constructor(parts: Parts) {
    this.parts = parts;
  }

  static async open(): Promise<EngineStage> {
    // A commit must survive the immediate stop of the server.
    const server = await startPostgres({ settings: { synchronous_commit: 'on' } });
    const nats = await startNats();
    const sandbox = await startSandbox({
      clock: 'real',
      rateLimits: 'off',
      settings: { mailboxMessages: 100_000 },
    });
    const db = connectStore({ url: `${server.url}/postgres`, source: 'the proof', env: {} });
    await initializeStore(db, {});
    await createProcessed(db);
    const client = await natsClient(nats);
    for (const name of streams)
      await client.manager.streams.add({ ...suitable(name), duplicate_window: duplicateWindow });
    const token = await signInAs(sandbox, 'administrator');
    const balancers = { store: await startLoadBalancer(), stream: await startLoadBalancer() };
    return new EngineStage({ server, nats, sandbox, db, client, token, balancers });
  }

  start(words: readonly string[]): Started {
    const { server, sandbox, token } = this.parts;
    return startUcctl([...words, '--store', `${server.url}/postgres`], {
      env: { HOME: this.#folder, UCCTL_BASE_URL: sandbox.url, UCCTL_TOKEN: token },
    });
  }

  /** Runs a process until the end of the stage. It is started again when it ends, because the store may not run when it starts. */
  keep(words: readonly string[]): void {
    void this.#restarted(words);
  }

  async #restarted(words: readonly string[]): Promise<void> {
    while (!this.#isClosed) {
      const started = this.start(words);
      this.#running.add(started);
      const { exit, stderr } = await started.ended;
      this.#running.delete(started);
      if (this.#isClosed) return;
      this.restarts += 1;
      this.#lastEnd = `${words.slice(0, 3).join(' ')} ended with ${exit}: ${stderr.slice(-500)}`;
      await pause(restartMilliseconds);
    }
  }

  /** Starts a receiver behind its load balancer, and waits until it is ready. */
  async startReceiver(sink: 'store' | 'stream'): Promise<void> {
    const { nats, balancers } = this.parts;
    const port = await freePort();
    const ready = join(this.#folder, `ready-${port}.json`);
    const place = sink === 'store' ? 'store' : `${nats.url}/${streams[0]}`;
    const receiver = ['--receiver', sink, '--sink', place, '--no-subscribe', '--path', '/hook'];
    const address = ['--public-url', balancers[sink].url, '--port', String(port), '--ready-file', ready];
    this.keep(['webhook', 'listen', ...receiver, ...address]);
    while (!existsSync(ready)) {
      this.requireWorking();
      await pause(20);
    }
    balancers[sink].ports.add(port);
  }

  /** @throws if processes end again and again. */
  requireWorking(): void {
    if (this.restarts > mostRestarts) throw new Error(this.#lastEnd);
  }

  /** The IDs of the events of a stream, in its order. */
  async streamed(name: (typeof streams)[number]): Promise<readonly string[]> {
    const messages = await this.parts.client.messages(name);
    return messages.map(({ text }) => (JSON.parse(text) as { uuid: string }).uuid);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { child, ended } of this.#running) {
      child.kill('SIGKILL');
      await ended.catch(() => undefined);
    }
    const { balancers, client, db, sandbox, server, nats } = this.parts;
    await balancers.store.close();
    await balancers.stream.close();
    await client.close();
    await db.close();
    await sandbox.close();
    await server.stop();
    await nats.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
