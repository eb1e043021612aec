import { setMaxListeners } from 'node:events';
import { Pool, type PoolClient } from 'pg';
import { StoreError } from '../store-error.ts';
import { ClosingClient, connectionOf, silenceMilliseconds, type ConnectionConfig } from './connection.ts';
import { problemOf, storeErrorOf } from './errors.ts';
import { Pipeline } from './pipeline.ts';
import { poolerCheck } from './pooler.ts';
import { RestartWait } from './restart-wait.ts';
import type { PostgresSettings } from './settings.ts';
import { type SqlParameter, storableValues } from './statement.ts';

/** Executes statements. Implemented by the pool and by a transaction. */
export interface Queries {
  /** The rows of one statement. @throws {StoreError} */
  query<R extends object = Record<string, unknown>>(
    sql: string,
    values?: readonly SqlParameter[],
  ): Promise<readonly R[]>;
  /** Executes one statement. @returns the number of rows that it changed. @throws {StoreError} */
  run(sql: string, values?: readonly SqlParameter[]): Promise<number>;
  /** Executes a text of several statements without parameters. @throws {StoreError} */
  script(sql: string): Promise<void>;
}

/** A connection in a transaction. */
export interface Transaction extends Queries {
  /** The connection of the client library, for COPY. It must not be used after the transaction. */
  readonly client: PoolClient;
  /**
   * Sets the maximum time of the following statements of this transaction, for the server and the client. The maximum
   * wait for a lock does not change.
   */
  limit(milliseconds: number): Promise<void>;
}

/** The oldest version of PostgreSQL with `pg_current_xact_id`. */
const leastServerVersion = 130_000;
/** Connections of one process. */
const defaultPoolSize = 4;
/** Keeps stricter values, such as `remote_apply`. */
const durably = `select set_config('synchronous_commit', 'on', true) where current_setting('synchronous_commit') in ('off', 'local')`;

/** A pool of connections to one PostgreSQL database. Connections are opened when they are needed. */
export class Postgres implements Queries {
  readonly settings: PostgresSettings;
  /** For work that waits for a restart of the server. */
  readonly restartWait: RestartWait;
  readonly #pool: Pool;
  /** Connections of `extraSession`. */
  readonly #extra: Pool;
  readonly #config: ConnectionConfig;
  readonly #pipelines: Pipeline[] = [];
  readonly #closing = new AbortController();

  /**
   * @param more `name` appears in `pg_stat_activity`; `poolSize` limits the connections; `onRestartWait` reports a wait for a
   * restart of the server.
   */
  constructor(
    settings: PostgresSettings,
    more: { readonly name?: string; readonly poolSize?: number; readonly onRestartWait?: () => void } = {},
  ) {
    this.settings = settings;
    this.restartWait = new RestartWait(more.onRestartWait);
    // Each connection has a listener.
    setMaxListeners(0, this.#closing.signal);
    const config = { ...connectionOf(settings, more.name), closing: this.#closing.signal };
    this.#config = { ...config, throughPooler: poolerCheck(config, settings.place) };
    this.#pool = this.#newPool(more.poolSize ?? defaultPoolSize);
    this.#extra = this.#newPool(Infinity);
  }

  #newPool(max: number): Pool {
    // A command exits when its work is done, even if it does not close the pool.
    const pool = new Pool({ ...this.#config, Client: ClosingClient, max, allowExitOnIdle: true });
    // Without a listener, the end of an idle connection would end the process. The next statement connects
    // again.
    pool.on('error', () => undefined);
    return pool;
  }

  query<R extends object>(sql: string, values: readonly SqlParameter[] = []): Promise<readonly R[]> {
    return this.#named(async () => (await this.#pool.query<R>(sql, storableValues(values))).rows);
  }

  run(sql: string, values: readonly SqlParameter[] = []): Promise<number> {
    return this.#named(async () => (await this.#pool.query(sql, storableValues(values))).rowCount ?? 0);
  }

  async script(sql: string): Promise<void> {
    await this.#named(() => this.#pool.query(sql));
  }

  /** A connection of its own for statements that are sent before earlier ones are answered. It closes with the pool. */
  pipeline(): Pipeline {
    const pipeline = new Pipeline(this.#config, this.settings.place);
    this.#pipelines.push(pipeline);
    return pipeline;
  }

  /**
   * Runs `work` in a transaction. It must not wait for the network of the service: an open transaction holds locks and
   * delays readers of the change feed.
   * @param durable the commit must survive a crash of the server, whatever its default is.
   * @throws {StoreError} and everything that `work` throws; the transaction is then rolled back.
   */
  async transaction<T>(
    work: (transaction: Transaction) => Promise<T>,
    { durable = false }: { readonly durable?: boolean } = {},
  ): Promise<T> {
    return this.session(async (session) => {
      await session.script(durable ? `begin; ${durably}` : 'begin');
      try {
        const result = await work(session);
        await session.script('commit');
        return result;
      } catch (error) {
        await session.script('rollback').catch(() => undefined);
        throw error;
      }
    });
  }

  /** Runs `work` on one connection, for temporary tables that outlive a transaction. @throws {StoreError} */
  session<T>(work: (session: Transaction) => Promise<T>): Promise<T> {
    return this.#sessionOf(this.#pool, work);
  }

  /**
   * Like `session`, with a connection that does not count toward the limit of the pool: for `work` that also uses other
   * connections, because several such works could otherwise hold all connections and wait for each other, and for `work`
   * that must not wait.
   * @throws {StoreError}
   */
  extraSession<T>(work: (session: Transaction) => Promise<T>): Promise<T> {
    return this.#sessionOf(this.#extra, work);
  }

  async #sessionOf<T>(pool: Pool, work: (session: Transaction) => Promise<T>): Promise<T> {
    const client = await this.#named(() => pool.connect());
    // A connection that failed is not used again, also if `work` handles the error of a statement.
    let failure: Error | undefined;
    const note = (error: Error): void => {
      failure = error;
    };
    client.on('error', note);
    try {
      return await this.#named(() => work(sessionOf(client, this.settings, note)));
    } catch (error) {
      if (error instanceof StoreError && isEnd(error)) failure ??= error;
      throw error;
    } finally {
      client.off('error', note);
      client.release(failure ?? false);
    }
  }

  /**
   * Connects, and checks the version of the server and that it accepts changes.
   * @throws {StoreError} with the reason.
   */
  async check(needsWrite = true): Promise<ServerFacts> {
    const [row] = await this.query<{
      version: string;
      number: number;
      replica: boolean;
      readonly: string;
      tls: boolean;
    }>(
      `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
        pg_is_in_recovery() as replica, current_setting('default_transaction_read_only') as readonly,
        coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as tls`,
    );
    const { place } = this.settings;
    if (!row) throw new StoreError('failed', place, { report: 'the version query returned no row' });
    if (row.number < leastServerVersion)
      throw new StoreError('version', place, { report: `version ${row.version}` });
    const isReadOnly = row.replica || row.readonly === 'on';
    if (needsWrite && isReadOnly)
      throw new StoreError(
        'read-only',
        place,
        row.replica ? {} : { report: 'default_transaction_read_only is on' },
      );
    return { version: row.version, isReadOnly, usesTls: row.tls };
  }

  /** Closes all connections. The pool cannot be used afterwards. */
  async close(): Promise<void> {
    await Promise.all(this.#pipelines.map((pipeline) => pipeline.close()));
    await Promise.all([this.#pool, this.#extra].map((pool) => endOf(pool)));
  }

  /** Closes all connections without waiting for the server. Statements without a reply fail, as do later statements. */
  abandon(): void {
    this.#closing.abort();
  }

  async #named<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw storeErrorOf(error, this.settings.place);
    }
  }
}

/** Ends a pool once. */
async function endOf(pool: Pool): Promise<void> {
  if (!pool.ended && !pool.ending) await pool.end();
}

/** What a server reports about itself. */
export interface ServerFacts {
  readonly version: string;
  readonly isReadOnly: boolean;
  readonly usesTls: boolean;
}

/** Whether a connection is not used again after an error. A new connection may lead to another server, which accepts changes. */
function isEnd(error: StoreError): boolean {
  return (
    ['lost', 'unreachable', 'timeout', 'read-only'].includes(error.problem) ||
    problemOf(error.cause) === 'lost'
  );
}

/** @param onEnd called with the error of a statement after which the connection cannot be used. */
function sessionOf(
  client: PoolClient,
  settings: PostgresSettings,
  onEnd: (error: Error) => void,
): Transaction {
  const { place, statementMilliseconds } = settings;
  // Undefined for the timeout that the pool sets for its connections.
  let readTimeout: { readonly query_timeout?: number } = {};
  const named = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      const failure = storeErrorOf(error, place);
      if (failure instanceof StoreError && isEnd(failure)) onEnd(failure);
      throw failure;
    }
  };
  const script = (text: string): Promise<void> =>
    named(async () => {
      await client.query({ text, ...readTimeout });
    });
  return {
    client,
    query: <R extends object>(text: string, values: readonly SqlParameter[] = []) =>
      named(
        async () =>
          (await client.query<R>({ text, values: storableValues(values), ...readTimeout }))
            .rows as readonly R[],
      ),
    run: (text, values = []) =>
      named(
        async () =>
          (await client.query({ text, values: storableValues(values), ...readTimeout })).rowCount ?? 0,
      ),
    script,
    async limit(milliseconds) {
      await script(
        `set local statement_timeout = ${milliseconds}; set local lock_timeout = ${statementMilliseconds}`,
      );
      readTimeout = { query_timeout: milliseconds + silenceMilliseconds };
    },
  };
}
