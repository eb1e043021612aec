import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { freePort } from './free-port.ts';
import { unlessRequired } from './required.ts';
import { ServerProcess } from './server-process.ts';

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

class Server extends ServerProcess implements NatsServer {
  readonly url: string;
  readonly port: number;
  readonly #program: string;
  readonly #folder: string;

  constructor(program: string, folder: string, port: number, settings: string) {
    super(folder);
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
    // The shell ends the server when its standard input ends.
    const script = '"$@" </dev/null & server=$!; read -r _; kill -KILL $server; wait $server';
    const words = [this.#program, '-c', this.#config];
    await this.run({ name: 'nats-server', script, words, ready: /Server is ready/ });
  }
}
