import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { starterVariable } from './postgres-programs.ts';
import { startPostgres, type PostgresCluster } from './postgres-cluster.ts';

/**
 * Starts one PostgreSQL server for the whole run when the first test asks for it: most runs need none, and test files
 * that share a process must not start processes. Each connection gets the address as a line.
 */
export class PostgresStarter {
  readonly #server: Server;
  #cluster: Promise<PostgresCluster> | undefined;

  constructor(folder: string) {
    const socket = join(folder, 'postgres.sock');
    this.#server = createServer((connection) => {
      connection.on('error', () => undefined);
      this.#cluster ??= startPostgres();
      this.#cluster.then(
        ({ url }) => connection.end(`${url}\n`),
        (error: unknown) => connection.end(`error ${String(error)}\n`),
      );
    });
    this.#server.unref();
    this.#server.listen(socket);
    process.env[starterVariable] = socket;
  }

  async stop(): Promise<void> {
    this.#server.close();
    const cluster = await this.#cluster?.catch(() => undefined);
    await cluster?.stop();
  }
}
