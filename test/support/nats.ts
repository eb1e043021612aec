import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { freePort } from './free-port.ts';
import { conditionLimit } from './limits.ts';
import { unlessRequired } from './required.ts';

/** The program of the server; undefined if it is not installed. Debian installs it outside of the path of most users. */
export function natsProgram(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/bin'];
  return folders
    .filter(Boolean)
    .map((folder) => join(folder, 'nats-server'))
    .find((file) => existsSync(file));
}

/** Why tests with NATS cannot run here; undefined when they can. */
export function natsMissing(): string | undefined {
  return unlessRequired(
    'nats',
    natsProgram() === undefined ? 'not installed: package nats-server' : undefined,
  );
}

/** A NATS server with JetStream in its own folder. */
export interface NatsServer {
  /** `nats://127.0.0.1:PORT`. */
  readonly url: string;
  readonly port: number;
  /** Ends the server at once, and waits for its end. */
  kill(): Promise<void>;
  /** Starts the server again after `kill`, with the same data. */
  start(): Promise<void>;
  /** Ends the server and removes its folder. */
  stop(): Promise<void>;
}

/** Starts a server. @param settings further lines of its configuration. */
export async function startNats(settings = ''): Promise<NatsServer> {
  const program = natsProgram();
  if (program === undefined) throw new Error('nats-server is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'nats-of-ucctl-'));
  const port = await freePort();
  const server = new Server(program, folder, port, settings);
  try {
    await server.start();
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}

/** A server that ends with the test. */
export async function testNats(settings?: string): Promise<NatsServer> {
  const server = await startNats(settings);
  onTestFinished(() => server.stop());
  return server;
}

class Server implements NatsServer {
  readonly url: string;
  readonly port: number;
  readonly #program: string;
  readonly #folder: string;
  #child: ChildProcess | undefined;

  constructor(program: string, folder: string, port: number, settings: string) {
    this.#program = program;
    this.#folder = folder;
    this.port = port;
    this.url = `nats://127.0.0.1:${port}`;
    writeFileSync(
      this.#config,
      `listen: "127.0.0.1:${port}"\njetstream { store_dir: "${join(folder, 'data')}", max_mem: 16MB, max_file: 512MB }\n${settings}\n`,
    );
  }

  get #config(): string {
    return join(this.#folder, 'nats.conf');
  }

  async start(): Promise<void> {
    // The shell ends the server when this process ends in any way, because its standard input then ends.
    const script = '"$@" </dev/null & server=$!; read -r _; kill -KILL $server; wait $server';
    const child = spawn('sh', ['-c', script, 'sh', this.#program, '-c', this.#config], {
      cwd: this.#folder,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    this.#child = child;
    let log = '';
    await new Promise<void>((resolve, reject) => {
      const fail = (): void => reject(new Error(`nats-server did not start: ${log}`));
      const timer = setTimeout(fail, conditionLimit);
      child.once('close', fail);
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        log = (log + text).slice(-10_000);
        if (!log.includes('Server is ready')) return;
        clearTimeout(timer);
        child.off('close', fail);
        resolve();
      });
    });
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const closed = new Promise((resolve) => {
      child.once('close', resolve);
    });
    child.stdin?.end('\n');
    await closed;
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
