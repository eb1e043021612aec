interface Description {
  readonly code: string;
  readonly words: string;
  readonly hint: string;
  /** The command for the hint, without the word `ucctl`. */
  readonly command?: string;
  readonly retryable: boolean;
}

/** Problems of the store, each with an error code, a text and a next step. */
const problems = {
  unreachable: {
    code: 'store_unreachable',
    words: 'no server replies at this address',
    hint: 'check the address and whether the server is running, for example with pg_isready, and run the command again',
    retryable: true,
  },
  password: {
    code: 'store_password',
    words: 'the server rejected the user name or password',
    hint: 'put the password into the file that PGPASSFILE names (default ~/.pgpass, mode 0600), or set PGPASSWORD',
    retryable: false,
  },
  database: {
    code: 'store_database_missing',
    words: 'database not found',
    hint: 'check the database name at the end of the address, or create the database with createdb',
    retryable: false,
  },
  'read-only': {
    code: 'store_read_only',
    words: 'the server is read-only, for example because it is a replica',
    hint: 'use the address of the primary server, where default_transaction_read_only must be off',
    retryable: false,
  },
  full: {
    code: 'store_full',
    words: "the server's disk is full",
    hint: "free up space on the server's disk and run the command again; committed data is intact",
    retryable: true,
  },
  lost: {
    code: 'store_connection_lost',
    words: 'the connection was lost',
    hint: 'run the command again; changes that were not committed are lost',
    retryable: true,
  },
  timeout: {
    code: 'store_timeout',
    words: 'a statement took too long and was canceled',
    hint: 'run the command again; if the error persists, look for long transactions in pg_stat_activity, or set a longer statement_timeout in the store address',
    retryable: true,
  },
  permission: {
    code: 'store_permission',
    words: 'the database user lacks a privilege',
    hint: 'connect as a member of the writer role of the store, or ask the owner of the store to grant the privilege',
    retryable: false,
  },
  connections: {
    code: 'store_connections',
    words: 'the server accepts no more connections',
    hint: 'run the command again later, or raise max_connections on the server',
    retryable: true,
  },
  pooler: {
    code: 'store_pooler',
    words: 'the connection pooler shares connections to the server between transactions (transaction mode)',
    hint: 'use the address of the server itself, or session mode, such as pool_mode = session in PgBouncer',
    retryable: false,
  },
  incomplete: {
    code: 'store_incomplete',
    words: 'a part of the schema, such as a table, key or view, is missing',
    hint: 'find out which object was removed',
    command: 'store check',
    retryable: false,
  },
  tls: {
    code: 'store_tls',
    words: 'ucctl could not establish a secure connection',
    hint: 'the server needs a certificate for this host name; specify its certificate authority with sslrootcert=FILE in the address',
    retryable: false,
  },
  busy: {
    code: 'store_busy',
    words: 'another transaction has locked the data for too long',
    hint: 'run the command again',
    retryable: true,
  },
  version: {
    code: 'store_unsupported',
    words: 'the server is older than PostgreSQL 13',
    hint: 'use PostgreSQL 13 or later',
    retryable: false,
  },
  failed: {
    code: 'store_failed',
    words: 'the server reported an error',
    hint: 'check the store',
    command: 'store check',
    retryable: false,
  },
} as const satisfies Readonly<Record<string, Description>>;

export type StoreProblem = keyof typeof problems;

/**
 * The error for a PostgreSQL store that cannot be used. The message names the server and the reason, never a password.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly problem: StoreProblem;
  readonly code: string;
  readonly hint: string;
  /** The command for the hint, without the word `ucctl`. */
  readonly command: string | undefined;
  readonly retryable: boolean;
  /** The SQLSTATE that the server reported; undefined if there was no reply. */
  readonly sqlState: string | undefined;

  /** @param place the server and database without a password, such as `postgres://ucctl@db.example.com:5432/ucctl` */
  constructor(
    problem: StoreProblem,
    place: string,
    more: {
      /** What the server or the system reported. */
      readonly report?: string;
      readonly hint?: string;
      readonly sqlState?: string | undefined;
      readonly cause?: unknown;
    } = {},
  ) {
    const { code, words, hint, command, retryable }: Description = problems[problem];
    const report = more.report === undefined ? '' : ` (${more.report})`;
    super(`cannot use the store ${place}: ${words}${report}`, { cause: more.cause });
    this.problem = problem;
    this.code = code;
    this.hint = more.hint ?? hint;
    this.command = more.hint === undefined ? command : undefined;
    this.retryable = retryable;
    this.sqlState = more.sqlState;
  }
}
