import Pool from 'undici/lib/dispatcher/pool.js';
import buildConnector from 'undici/lib/core/connect.js';
import type { Agent, Dispatcher } from 'undici';
import { ClientClosedError } from '../errors/client-closed.ts';
import { ReplyError } from '../errors/service.ts';
import type { HttpReply, HttpRequest, HttpSend } from './http.ts';
import { Connecting } from './connecting.ts';
import { exchange, type Exchange, type ExchangeOptions } from './exchange.ts';
import { collect, decodeText, mostWholeBytes, tooLarge, WholeBound } from './reply-bounds.ts';
import { Sending } from './sending.ts';
import { toConnectionError } from './undici-failure.ts';

export interface UndiciHttp {
  readonly send: HttpSend;
  /**
   * Waits for the replies to sent requests, and ends opened replies that nobody reads. `send` then throws
   * ClientClosedError.
   */
  close(): Promise<void>;
}

export interface UndiciOptions {
  /** Maximum number of kept-alive connections to one origin; undici needs twice the parallel requests. */
  readonly connections?: number;
  /** Timeout for a connection with its TLS handshake, and for the reply of a proxy. Default: 10 s. */
  readonly connectTimeoutMilliseconds?: number | undefined;
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
  /** Returns an agent that tunnels through the proxy. Its connection attempts are those of `connecting`. */
  agent(options: Agent.Options, connecting: Connecting): Dispatcher;
}

/** Longest time of a connection attempt, unless the caller specifies another time. */
export const defaultConnectMilliseconds = 10_000;

/** Returns the timeout of connection attempts for requests with this timeout; 0 stands for no timeout. */
export function connectMilliseconds(timeoutMilliseconds: number): number {
  return Math.min(timeoutMilliseconds || Number.POSITIVE_INFINITY, defaultConnectMilliseconds);
}

/**
 * HTTP with a pool of kept-alive connections. A request with `freshConnection` gets a new connection, which is closed
 * afterwards.
 */
export function createUndiciHttp(options: UndiciOptions = {}): UndiciHttp {
  const { ca, connectTimeoutMilliseconds: timeout = defaultConnectMilliseconds } = options;
  const connect = buildConnector({ timeout, allowH2: false, ...(ca && { ca: [...ca] }) });
  const made = new Map<string, { readonly dispatcher: Dispatcher; readonly connecting: Connecting }>();
  const dispatcherFor = (outgoing: HttpRequest) => {
    const { url, freshConnection = false } = outgoing;
    const isProxied = options.proxy?.isFor(url) ?? false;
    const name = `${isProxied ? 'proxied' : url.origin} ${freshConnection ? 'fresh' : 'pooled'}`;
    const known = made.get(name);
    if (known) return known;
    // Every request of the fresh dispatcher closes its connection, so the dispatcher never has an idle connection.
    const bound = freshConnection ? {} : { connections: options.connections ?? 16 };
    // An agent of undici would create a new pool after each fresh connection, with a queue of 2,048 places.
    const connecting = new Connecting();
    const dispatcher =
      isProxied && options.proxy
        ? options.proxy.agent({ ...bound, allowH2: false }, connecting)
        : new Pool(url.origin, { ...bound, connect: connecting.following(connect), allowH2: false });
    const opened = { dispatcher, connecting };
    made.set(name, opened);
    return opened;
  };
  const failure = (error: unknown, outgoing: HttpRequest): unknown =>
    toConnectionError(
      error,
      outgoing,
      [...made.values()].some(({ connecting }) => connecting.hasFailed(error)),
      options.proxy?.isFor(outgoing.url) ? options.proxy.origin : undefined,
    );
  let closing: Promise<unknown> | undefined;
  /** Replies in progress that the caller of the client reads. */
  const opened = new Set<Exchange>();
  const send: HttpSend = async (outgoing) => {
    // For example the target of a redirect whose reply arrived after `close`.
    if (closing) {
      outgoing.onUnsent?.();
      throw new ClientClosedError();
    }
    const sending = new Sending(outgoing);
    try {
      const bound = new WholeBound(outgoing.timeoutMilliseconds);
      const { dispatcher, connecting } = dispatcherFor(outgoing);
      const end = connecting.begin();
      let hasEnded = false;
      let forget = (): void => undefined;
      const onEnded = (): void => {
        end();
        hasEnded = true;
        forget();
      };
      const options = { ...toOptions(outgoing, sending, () => bound.check()), onEnded };
      const reply = await exchange(dispatcher, options);
      forget = () => void opened.delete(reply);
      if (outgoing.isOpened && !hasEnded) opened.add(reply);
      // Nobody can be reading the reply yet, and `close` waits for it.
      if (closing && outgoing.isOpened) reply.abort(new ClientClosedError());
      return toReply(reply, outgoing, bound, failure);
    } catch (error) {
      throw sending.failure(error, failure);
    }
  };
  return {
    send,
    close: async () => {
      closing ??= Promise.all([...made.values()].map(({ dispatcher }) => dispatcher.close()));
      for (const reply of opened) reply.abortUnread(new ClientClosedError());
      await closing;
    },
  };
}

function toOptions(outgoing: HttpRequest, sending: Sending, onInfo: () => void): ExchangeOptions {
  const { url, method, headers, timeoutMilliseconds, freshConnection, signal } = outgoing;
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    method,
    headers: { ...headers },
    body: sending.body(),
    headersTimeout: timeoutMilliseconds,
    bodyTimeout: timeoutMilliseconds,
    reset: freshConnection ?? false,
    signal,
    onInfo,
    onSending: sending.begin,
  };
}

type ToFailure = (error: unknown, outgoing: HttpRequest) => unknown;

function toReply(reply: Exchange, outgoing: HttpRequest, bound: WholeBound, failure: ToFailure): HttpReply {
  const header = (name: string): string | undefined => {
    const value = reply.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };
  const toFailure = (error: unknown): unknown =>
    error instanceof ReplyError || error instanceof ClientClosedError ? error : failure(error, outgoing);
  const bytes = (isWhole = false): AsyncIterable<Uint8Array> =>
    reply.pieces(isWhole ? { check: wholeCheck(reply, outgoing, bound), toFailure } : { toFailure });
  return {
    status: reply.status,
    header,
    get headers() {
      return Object.fromEntries(Object.keys(reply.headers).map((name) => [name, header(name) ?? '']));
    },
    async text() {
      return decodeText(await collect(bytes(true)));
    },
    bytes,
    discard: () => discard(reply, outgoing, header('content-length')),
  };
}

/** Returns the check of the limits of a body that is read as a whole. */
function wholeCheck(
  { status }: Exchange,
  { method, url }: HttpRequest,
  bound: WholeBound,
): (chunk: Uint8Array) => void {
  let size = 0;
  return (chunk) => {
    size += chunk.length;
    bound.check();
    if (size > mostWholeBytes) throw tooLarge(status, { method, path: url.pathname });
  };
}

/** Maximum size of a body that is read only to reuse its connection. */
const mostDiscardedBytes = 64 * 1024;

/** Reads the rest of a body, so that its connection can be reused. Closes the connection if this takes too long. */
async function discard(
  reply: Exchange,
  { timeoutMilliseconds }: HttpRequest,
  length: string | undefined,
): Promise<void> {
  if (Number(length) > mostDiscardedBytes) return reply.abort();
  let size = 0;
  const timer =
    timeoutMilliseconds > 0 ? setTimeout(() => reply.abort(), timeoutMilliseconds).unref() : undefined;
  try {
    for await (const chunk of reply.pieces({ toFailure: (error) => error })) {
      size += chunk.length;
      if (size > mostDiscardedBytes) break;
    }
  } catch {
    // The body is not needed, so a failure to read it does not matter.
  } finally {
    clearTimeout(timer);
  }
}
