import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConnectionOptions } from 'node:tls';
import { isLoopback } from '../base-url.ts';
import { ownProcess } from '../own-process.ts';
import type { SentSecrets } from '../sent-secrets.ts';
import { passwordFromFile, type PasswordQuery } from './password-file.ts';
import { fileFailureReason } from '../file-failure.ts';
import { maskUserInfo } from '../user-info.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** How ucctl verifies the identity of the server. */
export type TlsMode = 'disable' | 'verify-ca' | 'verify-full';

/** The content of the files that a connection needs. */
export interface Credentials {
  readonly password: string | undefined;
  readonly tls: ConnectionOptions | undefined;
}

/** Where and how to connect to PostgreSQL. */
export interface PostgresSettings {
  /** A host name, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /**
   * Returns the password and certificates of a new connection. The files are read again, because a process may run longer
   * than they are valid. A file that cannot be read leaves the previous values.
   */
  readonly credentials: () => Credentials;
  /** The schema that contains all tables of the store. */
  readonly schema: string;
  readonly tlsMode: TlsMode;
  readonly connectMilliseconds: number;
  readonly statementMilliseconds: number;
  /** Server, user and database without a password, for messages. */
  readonly place: string;
}

const defaultSchema = 'ucctl';
const defaultConnectSeconds = '10';
const defaultStatementMilliseconds = '60000';

/** The parameters that an address may have after its question mark. */
const knownParameters: ReadonlySet<string> = new Set([
  'host',
  'port',
  'user',
  'password',
  'dbname',
  'schema',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'connect_timeout',
  'statement_timeout',
]);

/**
 * Reads the address of a store, with the variables of libpq (PGHOST, PGPASSFILE and others) for the parts that the
 * address omits.
 * @param sentSecrets gets each password that is read
 * @throws {RangeError} with a message for the user that contains no password.
 */
export function postgresSettings(
  address: string,
  env: Environment,
  sentSecrets?: Pick<SentSecrets, 'addPassword'>,
): PostgresSettings {
  const url = parsed(address);
  const given = (name: string): string | undefined => url.searchParams.get(name) ?? undefined;
  const server = serverOf(url, given, env);
  const isSocket = server.host.startsWith('/');
  const tlsMode = tlsModeOf(given('sslmode') ?? env['PGSSLMODE'], isSocket || isLoopback(server.host));
  const connectSeconds = firstOf(given('connect_timeout'), env['PGCONNECT_TIMEOUT'], defaultConnectSeconds);
  const statementTimeout = firstOf(given('statement_timeout'), defaultStatementMilliseconds);
  const { host, port, user, database } = server;
  const credentials = (): Credentials => {
    const password = passwordOf(url, given, env, { ...server, host: isSocket ? 'localhost' : host });
    if (password !== undefined) sentSecrets?.addPassword(password);
    const tls = tlsMode === 'disable' || isSocket ? undefined : tlsOptions(host, tlsMode, given, env);
    return { password, tls };
  };
  return {
    ...server,
    schema: schemaOf(given('schema')),
    credentials: latest(credentials),
    tlsMode,
    connectMilliseconds: numberOf('connect_timeout', connectSeconds, 1, 3600) * 1000,
    statementMilliseconds: numberOf('statement_timeout', statementTimeout, 100, 86_400_000),
    place: `postgres://${user}@${isSocket ? `[${host}]` : host}:${port}/${database}`,
  };
}

/** Returns a function that repeats `read`, and returns the previous value if that fails. @throws as the first `read` */
function latest<T>(read: () => T): () => T {
  let value = read();
  return () => {
    try {
      value = read();
    } catch {
      // Somebody may be replacing the file.
    }
    return value;
  };
}

type Parameter = (name: string) => string | undefined;

/** Returns the first text that is not empty. */
function firstOf(...texts: readonly [...(string | undefined)[], string]): string {
  return texts.find((text) => text !== undefined && text !== '') ?? '';
}

function serverOf(url: URL, given: Parameter, env: Environment): PasswordQuery {
  const named = decoded(url.hostname).replaceAll(/^\[|\]$/g, '');
  const own = firstOf(given('host'), named, '');
  const host = firstOf(own, env['PGHOST'], 'localhost');
  if (host.includes(',')) {
    const source = own === '' ? 'PGHOST' : 'the address';
    throw new RangeError(
      `${source} names several hosts (${host}): use the address of one server, the primary`,
    );
  }
  const port = numberOf('port', firstOf(given('port'), url.port, env['PGPORT'], '5432'), 1, 65_535);
  const user = firstOf(given('user'), decoded(url.username), env['PGUSER'], ownProcess.userName() ?? '');
  if (user === '')
    throw new RangeError(
      'the store address names no user, and this system has no name for the user of this process: use postgres://USER@HOST:PORT/DATABASE',
    );
  const path = decoded(url.pathname.replace(/^\//, ''));
  return { host, port, user, database: firstOf(given('dbname'), path, env['PGDATABASE'], user) };
}

function schemaOf(text: string = defaultSchema): string {
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(text)) return text;
  throw new RangeError(`"${text}" is not a valid schema; use lower-case letters, digits and underscores`);
}

function passwordOf(url: URL, given: Parameter, env: Environment, query: PasswordQuery): string | undefined {
  const text = firstOf(given('password'), decoded(url.password), env['PGPASSWORD'], '');
  if (text !== '') return text;
  const named = firstOf(env['PGPASSFILE'], '');
  if (named !== '') return passwordFromFile(named, query);
  const standard = join(env['HOME'] ?? ownProcess.homeFolder() ?? '', '.pgpass');
  // In a home folder that the user cannot enter, the file counts as missing, as in libpq.
  return existsSync(standard) ? passwordFromFile(standard, query) : undefined;
}

function parsed(address: string): URL {
  if (!URL.canParse(address))
    throw new RangeError(
      'the store address is not a valid PostgreSQL address; use postgres://USER@HOST:PORT/DATABASE',
    );
  const url = new URL(address);
  const unknown = [...url.searchParams.keys()].find((name) => !knownParameters.has(name));
  if (unknown !== undefined)
    throw new RangeError(
      `"${maskUserInfo(unknown)}" is not a valid parameter of the store address; use ${[...knownParameters].filter((name) => name !== 'password').join(', ')}`,
    );
  return url;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RangeError('the store address has an invalid percent sign; write %25 for %');
  }
}

function numberOf(name: string, text: string, least: number, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most))
    throw new RangeError(
      `${name} of the store must be a whole number from ${least} to ${most}, not "${text}"`,
    );
  return value;
}

/**
 * Returns the mode of TLS. Without a value, connections to other machines are verified. Modes of libpq that encrypt
 * without verification of the server's identity become `verify-full`, because the session is sent through the
 * connection.
 */
function tlsModeOf(text: string | undefined, isLocal: boolean): TlsMode {
  switch (text) {
    case undefined:
    case '':
      return isLocal ? 'disable' : 'verify-full';
    case 'disable':
    case 'verify-ca':
    case 'verify-full':
      return text;
    case 'require':
      return 'verify-full';
    case 'allow':
    case 'prefer':
      return isLocal ? 'disable' : 'verify-full';
    default:
      throw new RangeError(`"${text}" is not a valid sslmode; use disable, verify-ca or verify-full`);
  }
}

function tlsOptions(host: string, mode: TlsMode, given: Parameter, env: Environment): ConnectionOptions {
  const read = (name: string, variable: string): Buffer | undefined => {
    const file = given(name) ?? env[variable];
    if (!file || file === 'system') return undefined;
    try {
      return readFileSync(file);
    } catch (error) {
      throw new RangeError(`cannot read ${name} ${file}: ${fileFailureReason(error)}`, { cause: error });
    }
  };
  const [ca, cert, key] = [
    read('sslrootcert', 'PGSSLROOTCERT'),
    read('sslcert', 'PGSSLCERT'),
    read('sslkey', 'PGSSLKEY'),
  ];
  return {
    rejectUnauthorized: true,
    // Node checks the host name, unless the mode verifies only the certificate authority.
    ...(mode === 'verify-ca' && { checkServerIdentity: () => undefined }),
    ...(!/^[\d.]+$|:/.test(host) && { servername: host }),
    ...(ca && { ca }),
    ...(cert && { cert }),
    ...(key && { key }),
  };
}
