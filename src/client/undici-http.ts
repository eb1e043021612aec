import { Readable } from 'node:stream';
import UndiciAgent from 'undici/lib/dispatcher/agent.js';
import request from 'undici/lib/api/api-request.js';
import buildConnector from 'undici/lib/core/connect.js';
import type { Agent, Dispatcher } from 'undici';
import { ConnectionError, ReplyError } from '../errors/service.ts';
import type { HttpReply, HttpRequest, HttpSend } from './http.ts';
import { collect, decodeText, mostWholeBytes, tooLarge, WholeBound } from './reply-bounds.ts';

/** Codes of failures before the first byte of the request could be read by the other side, where the connector is not ours to ask. */
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** A header or address that HTTP cannot carry: refused before anything is connected. */
const unsendable = 'UND_ERR_INVALID_ARG';

export interface UndiciHttp {
  readonly send: HttpSend;
  close(): Promise<void>;
}

export interface UndiciOptions {
  /** Bounds the kept-alive connections to one origin; undici wants twice the parallel requests. */
  readonly connections?: number;
  /** Certificate authorities beside those of the system, PEM. */
  readonly ca?: readonly string[] | undefined;
  /**
   * What goes through a proxy; undefined sends everything directly.
   * @internal
   */
  readonly proxy?: ProxyRoute | undefined;
}

/**
 * Which requests go through a proxy.
 * @internal
 */
export interface ProxyRoute {
  isFor(url: URL): boolean;
  /** Its address, without user name and password. */
  readonly origin: string;
  /** An agent like ours that tunnels. */
  agent(options: Agent.Options): Dispatcher;
}

const connectTimeoutMilliseconds = 10_000;

/** HTTP on a pool of kept-alive connections; requests that must be sent once get a connection of their own, closed afterwards. */
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
    // Every request of the fresh agent closes its connection, so none that went idle is ever in it.
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

/** Marks the errors of connecting, TLS included: before it succeeds no byte of a request is written. */
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
    // Nothing of it is wanted, so that a failure of it says nothing either.
    discard: () => reply.body.dump(discardOptions(outgoing)).catch(() => undefined),
  };
}

/** How much of a body that nobody wants is read, so that its connection can be used again, and for how long. */
function discardOptions({ timeoutMilliseconds }: HttpRequest): { limit: number; signal?: AbortSignal } {
  const limit = 64 * 1024;
  return timeoutMilliseconds > 0 ? { limit, signal: AbortSignal.timeout(timeoutMilliseconds) } : { limit };
}

/** The pieces of a body. @throws when it is read whole and exceeds its bounds. */
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
  // Node's HTTP parser is WebAssembly: where the process may have too little memory, it cannot be started, and nothing was sent.
  if (error instanceof RangeError) return outOfMemory(error);
  const { origin } = outgoing.url;
  const code = errorCode(error);
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return new ConnectionError('TIMEOUT', 'unknown', origin, error);
  }
  const proxyStatus = proxyRefusal(error);
  if (proxyStatus) return new ConnectionError(`PROXY_${proxyStatus}`, 'no', origin, error);
  if (code === unsendable) return new ConnectionError(code, 'no', origin, error);
  const isRefused = neverSent.has(code) && isOfConnecting(error);
  // Only the proxy itself is connected to: what it cannot reach it answers with a status.
  if (proxy !== undefined && isRefused) return new ConnectionError(code, 'no', origin, error, proxy);
  const failed = new ConnectionError(code, isUnsent || isRefused ? 'no' : 'unknown', origin, error);
  // A certificate is judged before anything is written.
  return failed.isCertificateFault ? new ConnectionError(code, 'no', origin, error) : failed;
}

/** A failure of this machine; shaped like a system error, since it is one. */
function outOfMemory(cause: RangeError): Error {
  const message = `not enough memory for a connection (${cause.message}): raise the limit of this shell (ulimit -v), or run on a machine with more`;
  return Object.assign(new Error(message, { cause }), { code: 'ENOMEM', syscall: 'mmap' });
}

/**
 * A connection that stood for long ends with such a code too, when the way to the host is lost (Linux gives its last ICMP error): then the request may
 * have been read.
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

/** The status with which a proxy refused to open a tunnel. */
function proxyRefusal(error: unknown): string | undefined {
  return error instanceof Error ? /^Proxy response \((\d+)\) !== 200/.exec(error.message)?.[1] : undefined;
}

/** Node reports a host with several addresses as an AggregateError whose parts carry the code. */
function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  const own = (error as NodeJS.ErrnoException).code;
  if (own) return own;
  if (error instanceof AggregateError && error.errors.length > 0) return errorCode(error.errors[0]);
  return error.cause instanceof Error ? errorCode(error.cause) : error.name;
}
