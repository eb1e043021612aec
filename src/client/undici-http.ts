import { Readable } from 'node:stream';
import UndiciAgent from 'undici/lib/dispatcher/agent.js';
import request from 'undici/lib/api/api-request.js';
import buildConnector from 'undici/lib/core/connect.js';
import type { Agent, Dispatcher } from 'undici';
import { ConnectionError, ReplyError } from '../errors/service.ts';
import type { HttpReply, HttpRequest, HttpSend } from './http.ts';
import { collect, decodeText, mostWholeBytes, tooLarge, WholeBound } from './reply-bounds.ts';

/**
 * Error codes of failed connection attempts, in which no byte of the request was sent. Needed for proxies, whose
 * connector cannot report such a failure.
 */
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The code for a header or address that is invalid in HTTP. undici rejects it before it opens a connection. */
const unsendable = 'UND_ERR_INVALID_ARG';

export interface UndiciHttp {
  readonly send: HttpSend;
  close(): Promise<void>;
}

export interface UndiciOptions {
  /** Maximum number of kept-alive connections to one origin; undici needs twice the parallel requests. */
  readonly connections?: number;
  /** Trusted certificate authorities in PEM format; undefined for the authorities that Node trusts. */
  readonly ca?: readonly string[] | undefined;
  /**
   * The proxy; undefined for direct connections.
   * @internal
   */
  readonly proxy?: ProxyRoute | undefined;
}

/**
 * The proxy and the rule that decides which requests use it.
 * @internal
 */
export interface ProxyRoute {
  isFor(url: URL): boolean;
  /** Origin of the proxy, without user name and password. */
  readonly origin: string;
  /** Returns an agent that tunnels through the proxy. */
  agent(options: Agent.Options): Dispatcher;
}

const connectTimeoutMilliseconds = 10_000;

/**
 * HTTP with a pool of kept-alive connections. A request with `freshConnection` gets a new connection, which is closed
 * afterwards.
 */
export function createUndiciHttp(options: UndiciOptions = {}): UndiciHttp {
  const failedToConnect = new WeakSet<Error>();
  const connect = connector(options.ca, failedToConnect);
  const direct = { connect, allowH2: false } as const;
  const made = new Map<string, Dispatcher>();
  const agentFor = (outgoing: HttpRequest): Dispatcher => {
    const isProxied = options.proxy?.isFor(outgoing.url) ?? false;
    const name = `${isProxied ? 'proxied' : 'direct'} ${outgoing.freshConnection ? 'fresh' : 'pooled'}`;
    const known = made.get(name);
    if (known) return known;
    // Every request of the fresh agent closes its connection, so the agent never has an idle connection.
    const bound = outgoing.freshConnection ? {} : { connections: options.connections ?? 16 };
    const agent =
      isProxied && options.proxy
        ? options.proxy.agent({ ...bound, allowH2: false })
        : new UndiciAgent({ ...direct, ...bound });
    made.set(name, agent);
    return agent;
  };
  const failure = (error: unknown, outgoing: HttpRequest): unknown =>
    toConnectionError(
      error,
      outgoing,
      error instanceof Error && failedToConnect.has(error),
      options.proxy?.isFor(outgoing.url) ? options.proxy.origin : undefined,
    );
  let closing: Promise<unknown> | undefined;
  const send: HttpSend = async (outgoing) => {
    try {
      const bound = new WholeBound(outgoing.timeoutMilliseconds);
      const options = { ...toRequestOptions(outgoing), onInfo: () => bound.check() };
      return toReply(await request.call(agentFor(outgoing), options), outgoing, bound, failure);
    } catch (error) {
      throw failure(error, outgoing);
    }
  };
  return {
    send,
    close: async () => {
      closing ??= Promise.all([...made.values()].map((agent) => agent.close()));
      await closing;
    },
  };
}

/**
 * Returns a connector that records errors of connecting, including TLS errors. At that time no byte of a request has
 * been sent.
 */
function connector(ca: readonly string[] | undefined, failed: WeakSet<Error>): buildConnector.connector {
  const connect = buildConnector({
    timeout: connectTimeoutMilliseconds,
    allowH2: false,
    ...(ca && { ca: [...ca] }),
  });
  return (options, callback) =>
    connect(options, (...result) => {
      const [error] = result;
      if (error) failed.add(error);
      callback(...result);
    });
}

function toRequestOptions(outgoing: HttpRequest): Dispatcher.RequestOptions {
  return {
    origin: outgoing.url.origin,
    path: outgoing.url.pathname + outgoing.url.search,
    method: outgoing.method,
    headers: { ...outgoing.headers },
    body: outgoing.stream ? Readable.from(outgoing.stream.open()) : (outgoing.body ?? null),
    headersTimeout: outgoing.timeoutMilliseconds,
    bodyTimeout: outgoing.timeoutMilliseconds,
    reset: outgoing.freshConnection ?? false,
    ...(outgoing.signal && { signal: outgoing.signal }),
  };
}

type ToFailure = (error: unknown, outgoing: HttpRequest) => unknown;

function toReply(
  reply: Dispatcher.ResponseData,
  outgoing: HttpRequest,
  bound: WholeBound,
  failure: ToFailure,
): HttpReply {
  const header = (name: string): string | undefined => {
    const value = reply.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };
  const bytes = async function* (isWhole = false): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* piecesOf(reply, outgoing, isWhole ? bound : undefined);
    } catch (error) {
      throw error instanceof ReplyError ? error : failure(error, outgoing);
    }
  };
  return {
    status: reply.statusCode,
    header,
    get headers() {
      return Object.fromEntries(Object.keys(reply.headers).map((name) => [name, header(name) ?? '']));
    },
    async text() {
      return decodeText(await collect(bytes(true)));
    },
    bytes,
    // The body is not needed, so a failure to read it does not matter.
    discard: () => reply.body.dump(discardOptions(outgoing)).catch(() => undefined),
  };
}

/** Limits for reading a discarded body, so that its connection can be reused. */
function discardOptions({ timeoutMilliseconds }: HttpRequest): { limit: number; signal?: AbortSignal } {
  const limit = 64 * 1024;
  return timeoutMilliseconds > 0 ? { limit, signal: AbortSignal.timeout(timeoutMilliseconds) } : { limit };
}

/** Yields the chunks of a body. @throws if the body is read as a whole and exceeds its limits. */
async function* piecesOf(
  reply: Dispatcher.ResponseData,
  { method, url }: HttpRequest,
  bound: WholeBound | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  let size = 0;
  for await (const piece of reply.body as AsyncIterable<Uint8Array>) {
    size += piece.length;
    bound?.check();
    if (bound && size > mostWholeBytes) throw tooLarge(reply.statusCode, { method, path: url.pathname });
    yield piece;
  }
}

function toConnectionError(
  error: unknown,
  outgoing: HttpRequest,
  isUnsent: boolean,
  proxy: string | undefined,
): unknown {
  if (outgoing.signal?.aborted) return outgoing.signal.reason;
  // With too little memory, Node cannot start its HTTP parser, which is WebAssembly.
  if (error instanceof RangeError) return outOfMemory(error);
  const { origin } = outgoing.url;
  const code = errorCode(error);
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return new ConnectionError('TIMEOUT', 'unknown', origin, error);
  }
  const proxyStatus = proxyRejection(error);
  if (proxyStatus) return new ConnectionError(`PROXY_${proxyStatus}`, 'no', origin, error);
  if (code === unsendable) return new ConnectionError(code, 'no', origin, error);
  const isConnectFailure = neverSent.has(code) && isOfConnecting(error);
  // undici connects only to the proxy, which reports an unreachable target with a status.
  if (proxy !== undefined && isConnectFailure) return new ConnectionError(code, 'no', origin, error, proxy);
  const failed = new ConnectionError(code, isUnsent || isConnectFailure ? 'no' : 'unknown', origin, error);
  // TLS checks the certificate before anything is sent.
  return failed.isCertificateFault ? new ConnectionError(code, 'no', origin, error) : failed;
}

/**
 * Returns the error for too little memory, in the form of a system error. `mmap` means that the parser could not start;
 * undici starts it before it sends a request.
 */
function outOfMemory(cause: RangeError): Error {
  const syscall = cause.message.startsWith('WebAssembly') ? 'mmap' : 'read';
  const message = `not enough memory for a connection (${cause.message}); raise the limit of the shell (ulimit -v), or add memory`;
  return Object.assign(new Error(message, { cause }), { code: 'ENOMEM', syscall });
}

/**
 * Whether the error occurred while connecting. An established connection can end with the same code if the route to the
 * host is lost (Linux reports the last ICMP error). In that case the service may have read the request.
 */
function isOfConnecting(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.every(isOfConnecting);
  const { syscall } = error as NodeJS.ErrnoException;
  return (
    syscall !== 'read' &&
    syscall !== 'write' &&
    (!(error.cause instanceof Error) || isOfConnecting(error.cause))
  );
}

/** Returns the status with which a proxy rejected a tunnel. */
function proxyRejection(error: unknown): string | undefined {
  return error instanceof Error ? /^Proxy response \((\d+)\) !== 200/.exec(error.message)?.[1] : undefined;
}

/** Returns the error code; for a host with several addresses Node reports it in the parts of an AggregateError. */
function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  const own = (error as NodeJS.ErrnoException).code;
  if (own) return own;
  if (error instanceof AggregateError && error.errors.length > 0) return errorCode(error.errors[0]);
  return error.cause instanceof Error ? errorCode(error.cause) : error.name;
}
