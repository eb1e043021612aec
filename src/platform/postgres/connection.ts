import type { Duplex } from 'node:stream';
import { callbackify } from 'node:util';
import { Client, types, type ClientConfig } from 'pg';
import type { PostgresSettings } from './settings.ts';

/**
 * Seconds and counts by which the server detects a lost client. The server then ends the session, which
 * releases its locks. With the defaults of Linux, a lock would remain for 2 hours after a network partition.
 */
const keepAlive = {
  tcp_keepalives_idle: '2',
  tcp_keepalives_interval: '1',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '5000',
};
const idleInTransactionMilliseconds = 30_000;
/** Milliseconds beyond the timeout of the server after which ucctl closes a silent connection. */
export const silenceMilliseconds = 5000;

/** Returns the process of the server that executes the statement. */
export const selectProcess = 'select pg_backend_pid() as process';

const int8 = 20;

/** The parsers of the library. Its types name only the built-in types of the server. */
const libraryParser: (oid: number, format: 'text' | 'binary') => (text: string) => unknown =
  types.getTypeParser;

/** How a connection is opened. */
export interface ConnectionConfig extends ClientConfig {
  /** Closes the connection at once, without waiting for the server, and prevents new connections. */
  readonly closing?: AbortSignal;
  /** The settings of the session. PgBouncer rejects them as parameters of the start. */
  readonly session?: Readonly<Record<string, string>>;
  /** Returns the options of TLS of a new connection. */
  readonly tls?: () => ClientConfig['ssl'];
  /** Prepares a connection to a pooler. @throws {StoreError} if it cannot be used */
  readonly throughPooler?: ((client: ClosingClient) => Promise<void>) | undefined;
}

/** Members of the client that the types of the library lack. */
interface ClientInternals {
  readonly connection: { readonly stream: Duplex };
  /** The process that the other end named at the start. A pooler names none of the server. */
  readonly processID: number | null;
}

/**
 * Closes a connection that cannot sign in. If the library itself finds the reason, such as a missing password, it leaves
 * the connection open, and the process would run until the server closes the connection, by default after 60 s.
 */
export class ClosingClient extends Client {
  readonly #closing: AbortSignal | undefined;
  readonly #session: Readonly<Record<string, string>>;
  readonly #throughPooler: ConnectionConfig['throughPooler'];
  /** The process of the server that executed the settings of the session. */
  settingsProcess: number | undefined;
  /** The error of the connection between two statements. */
  #failure: Error | undefined;

  constructor(config?: ConnectionConfig) {
    // The pool hides the password from enumeration.
    super({ ...config, password: config?.password, ssl: config?.tls?.() ?? false });
    this.#closing = config?.closing;
    this.#session = config?.session ?? {};
    this.#throughPooler = config?.throughPooler;
    // Without a listener, such an error ends the process, and the pool listens only to connections that are open.
    this.on('error', (error) => {
      this.#failure ??= error;
    });
  }

  override connect(): Promise<Client>;
  override connect(done: (error: Error) => void): void;
  override connect(done?: (error: Error) => void): Promise<Client> | undefined {
    if (!done) return this.#connect();
    callbackify(() => this.#connect())(done);
    return undefined;
  }

  async #connect(): Promise<Client> {
    if (this.#closing?.aborted) throw new Error('Connection terminated');
    this.#closeOnAbort();
    try {
      const client = await super.connect();
      await this.set(this.#internals.processID);
      if (this.#failure) throw this.#failure;
      if (this.settingsProcess !== this.#internals.processID) await this.#throughPooler?.(this);
      return client;
    } catch (error) {
      void this.end();
      throw error;
    }
  }

  /**
   * Sends the settings of the session that this version of the server has. If a process other than `process` executes
   * them, they apply only to this statement, because a pooler may give the process of the server to other programs.
   */
  async set(process: number | null | undefined): Promise<void> {
    const settings = Object.entries(this.#session).map(
      (setting) => `(${setting.map((text) => this.escapeLiteral(text)).join(', ')})`,
    );
    if (settings.length === 0) return;
    const { rows } = await this.query<{ process: number }>(
      `${selectProcess}, set_config(name, value, pg_backend_pid() is distinct from ${process}) from (values ${settings.join(', ')}) as setting (name, value)
        where current_setting(name, true) is not null`,
    );
    this.settingsProcess = rows[0]?.process;
  }

  get #internals(): ClientInternals {
    return this as unknown as ClientInternals;
  }

  #closeOnAbort(): void {
    const closing = this.#closing;
    if (!closing) return;
    // Statements without a reply fail when the stream is closed.
    const { stream } = this.#internals.connection;
    const destroy = (): void => void stream.destroy();
    closing.addEventListener('abort', destroy, { once: true });
    stream.once('close', () => closing.removeEventListener('abort', destroy));
  }
}

/**
 * What each connection of a process to the store is opened with.
 * @param name appears in `pg_stat_activity`.
 */
export function connectionOf(settings: PostgresSettings, name = 'ucctl'): ConnectionConfig {
  return {
    host: settings.host,
    port: settings.port,
    user: settings.user,
    database: settings.database,
    // This must be a function, because the library would otherwise search for a password itself.
    tls: () => settings.credentials().tls,
    password: () => settings.credentials().password ?? '',
    application_name: name,
    connectionTimeoutMillis: settings.connectMilliseconds,
    query_timeout: settings.statementMilliseconds + silenceMilliseconds,
    keepAlive: true,
    keepAliveInitialDelayMillis: 2000,
    session: {
      ...keepAlive,
      statement_timeout: String(settings.statementMilliseconds),
      idle_in_transaction_session_timeout: String(idleInTransactionMilliseconds),
      // An administrator may set these limits for short transactions of other programs. The timeout of statements suffices.
      lock_timeout: '0',
      idle_session_timeout: '0',
      transaction_timeout: '0',
      search_path: settings.schema,
      TimeZone: 'UTC',
      // The library reads no other format of times.
      DateStyle: 'ISO',
      // A statement after a lock must see what the previous owner of the lock committed, whatever the default is.
      default_transaction_isolation: 'read committed',
      client_min_messages: 'warning',
    },
    types: { getTypeParser: (oid: number, format?: 'text' | 'binary') => parserOf(oid, format) },
  };
}

/** Returns the parser of a type. Integers of 8 bytes are numbers if a double can represent them, otherwise texts. */
export function parserOf(oid: number, format: 'text' | 'binary' = 'text'): (text: string) => unknown {
  if (oid !== int8 || format !== 'text') return libraryParser(oid, format);
  return (text) => {
    const value = Number(text);
    return Number.isSafeInteger(value) ? value : text;
  };
}
