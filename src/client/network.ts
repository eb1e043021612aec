import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import type * as Tls from 'node:tls';
import type { Dispatcher, Pool as UndiciPool } from 'undici';
import connect from 'undici/lib/api/api-connect.js';
import type buildConnector from 'undici/lib/core/connect.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import { isLoopback } from '../platform/base-url.ts';
import { fileFailureReason } from '../platform/file-failure.ts';
import { basicAuthorization } from '../platform/basic-authorization.ts';
import { isExempt, readProxy } from '../platform/proxy.ts';
import { endWith, isTlsError, NoTunnel, type Connecting } from './connecting.ts';
import { errorCode } from './undici-failure.ts';
import {
  createUndiciHttp,
  defaultConnectMilliseconds,
  type ProxyRoute,
  type UndiciHttp,
} from './undici-http.ts';

/** How connections to the service are opened, for a protocol that is not an HTTP request. */
export interface SocketRoute {
  /** Trusted certificate authorities in PEM format; undefined for the authorities that Node trusts. */
  readonly ca: readonly string[] | undefined;
  /** Returns the proxy for a URL, with its user name and password; undefined for a direct connection. */
  proxyFor(url: URL): URL | undefined;
}

/** A network with a proxy or additional certificate authorities. */
export interface NetworkOptions {
  /** Address of an HTTP proxy, with user name and password if it needs them. */
  readonly proxy?: string | undefined;
  /** Hosts that are reached without the proxy, in the format of NO_PROXY. */
  readonly noProxy?: string | undefined;
  /** PEM file of certificate authorities to trust in addition to the authorities that Node trusts. */
  readonly caFile?: string | undefined;
  /**
   * The file of NODE_EXTRA_CA_CERTS. ucctl reads it, because the `ca` option of TLS replaces all authorities that Node
   * trusts by default.
   */
  readonly extraCaFile?: string | undefined;
  /** Timeout for a connection with its TLS handshake, and for the reply of a proxy. Default: 10 s. */
  readonly connectTimeoutMilliseconds?: number | undefined;
}

const certificate = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** Node 22.15 and later list all trusted authorities, including those of `--use-system-ca`. Duplicates are harmless. */
type TlsModule = typeof Tls & { getCACertificates?: (kind: 'default') => readonly string[] };

/** The error for an invalid network setting, which makes every request impossible. The message is for the user. */
export class NetworkSettingError extends RangeError {
  override readonly name = 'NetworkSettingError';
  readonly setting: 'proxy' | 'caFile';

  constructor(setting: 'proxy' | 'caFile', message: string, cause?: unknown) {
    super(message, { cause });
    this.setting = setting;
  }
}

/**
 * HTTP for a network with a proxy or additional certificate authorities. Requests to this machine never use the proxy.
 * @throws {NetworkSettingError} for an invalid proxy address or a file without certificates.
 */
export async function createNetwork(options: NetworkOptions): Promise<UndiciHttp> {
  const ca = await authoritiesOf(options);
  const { connectTimeoutMilliseconds } = options;
  const proxy = options.proxy === undefined ? undefined : routeThrough(options.proxy, options, ca);
  return createUndiciHttp({ ca, proxy, connectTimeoutMilliseconds });
}

/**
 * Returns the route of connections that are not HTTP requests, such as a WebSocket, with the same rules as
 * `createNetwork`.
 * @throws {NetworkSettingError} for an invalid proxy address or a file without certificates.
 */
export async function openRoute(options: NetworkOptions): Promise<SocketRoute> {
  const ca = await authoritiesOf(options);
  const proxy = options.proxy === undefined ? undefined : proxyAddress(options.proxy);
  return { ca, proxyFor: (url) => (isProxied(url, options.noProxy) ? proxy : undefined) };
}

async function authoritiesOf({
  caFile,
  extraCaFile,
}: NetworkOptions): Promise<readonly string[] | undefined> {
  return caFile === undefined ? undefined : readAuthorities(caFile, extraCaFile);
}

function isProxied({ hostname, port }: URL, noProxy = ''): boolean {
  return !isLoopback(hostname) && !isExempt(hostname, port, noProxy);
}

/** The error does not repeat the address, which may contain a password. */
function proxyAddress(address: string): URL {
  const url = readProxy(address);
  if (!url) throw new NetworkSettingError('proxy', 'the proxy is not a valid http:// or https:// address');
  return url;
}

function routeThrough(
  address: string,
  { noProxy, connectTimeoutMilliseconds: timeout = defaultConnectMilliseconds }: NetworkOptions,
  ca: readonly string[] | undefined,
): ProxyRoute {
  const url = proxyAddress(address);
  const tls = { timeout, ...(ca && { ca: [...ca] }) };
  const token = basicAuthorization(url);
  return {
    origin: url.origin,
    isFor: (target) => isProxied(target, noProxy),
    agent: (options, connecting) =>
      new ProxyAgent({
        ...options,
        uri: url.origin,
        // The agent would omit a user name without a password.
        ...(token !== undefined && { token }),
        requestTls: tls,
        proxyTls: tls,
        factory: (origin, more) => new Pool(origin, following(more, connecting)),
        clientFactory: (origin, more) =>
          tunnelPool(origin, { ...following(more, connecting), headersTimeout: timeout }, connecting),
      }),
  };
}

/** Returns options whose connector ends its attempts when no request is in progress. */
function following(options: UndiciPool.Options, connecting: Connecting): UndiciPool.Options {
  const { connect: open } = options;
  if (typeof open !== 'function') return options;
  return { ...options, connect: connecting.following(withoutAddressName(open)) };
}

/**
 * The agent gives the host of a proxy as server name (SNI) also if it is an IP address. TLS allows only names there:
 * up to Node 24, TLS warns about an address, and Node 26 rejects it.
 */
function withoutAddressName(open: buildConnector.connector): buildConnector.connector {
  return ({ servername = '', ...options }, callback) =>
    open({ ...options, ...(isIP(servername) === 0 && { servername }) }, callback);
}

/**
 * Returns the connections to a proxy, which open tunnels. The main entry of undici adds `connect` to every dispatcher.
 * ucctl loads single modules of undici, and of these only the proxy pool needs `connect`.
 */
function tunnelPool(origin: URL, options: UndiciPool.Options, connecting: Connecting): UndiciPool {
  const pool = new Pool(origin, options);
  const openTunnel: (asked: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData> = connect;
  const open = async (asked: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> => {
    const tunnel = await openTunnel.call(pool, asked).catch((error: unknown) => {
      throw withoutTunnel(error, connecting);
    });
    // The signal of the attempt, which continues with the TLS handshake through the tunnel.
    if (asked.signal instanceof AbortSignal) endWith(tunnel.socket, asked.signal);
    return tunnel;
  };
  return Object.assign(pool, { connect: open });
}

/**
 * Returns the error for a proxy that cannot be reached, or that does not reply to CONNECT. It has the code of the
 * connection, that of a proxy that does not accept the connection in time, or that of a closed connection. After an
 * error with the code UND_ERR_SOCKET, undici would connect to the proxy again, without end.
 */
function withoutTunnel(error: unknown, connecting: Connecting): unknown {
  if (!(error instanceof Error) || error instanceof RangeError) return error;
  const code = errorCode(error);
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return new NoTunnel('UND_ERR_CONNECT_TIMEOUT', error);
  if (closedCodes.has(code)) return new NoTunnel('ECONNRESET', error);
  const isOfProxy = connecting.hasFailed(error) || invalidReplyCodes.has(code) || isTlsError(error);
  return isOfProxy ? new NoTunnel(code, error) : error;
}

/** Codes of a connection that the proxy closed. */
const closedCodes = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);
/** Codes of a reply that is not HTTP, or has too many headers. */
const invalidReplyCodes = new Set(['HTTPParserError', 'UND_ERR_HEADERS_OVERFLOW']);

async function readAuthorities(file: string, extraFile: string | undefined): Promise<readonly string[]> {
  const tls: TlsModule = await import('node:tls');
  const own = [
    ...(tls.getCACertificates?.('default') ?? tls.rootCertificates),
    ...(await readExtra(extraFile)),
  ];
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new NetworkSettingError(
      'caFile',
      `cannot read the certificate authorities in ${file}: ${fileFailureReason(error)}`,
      error,
    );
  });
  const found = text.match(certificate);
  if (!found) throw new NetworkSettingError('caFile', `no PEM certificate found in ${file}`);
  await requireValid(found, file);
  return [...own, ...found];
}

/** Rejects invalid certificates. TLS would ignore them, and every request would then fail with an untrusted issuer. */
async function requireValid(certificates: readonly string[], file: string): Promise<void> {
  const { X509Certificate } = await import('node:crypto');
  try {
    for (const text of certificates) void new X509Certificate(text);
  } catch (error) {
    throw new NetworkSettingError('caFile', `invalid certificate in ${file}`, error);
  }
}

/** An unreadable file is ignored: Node has already warned about it. */
async function readExtra(file: string | undefined): Promise<readonly string[]> {
  const text = file === undefined ? '' : await readFile(file, 'utf8').catch(() => '');
  return text.match(certificate) ?? [];
}
