import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { ClientOptions, WebSocket } from 'ws';
import { ApiError, ConnectionError } from '../../../../errors/service.ts';
import { basicAuthorization } from '../../../../platform/basic-authorization.ts';
import { withoutBrackets } from '../../../../platform/proxy.ts';
import { limitTime, type StartTimer } from '../../../../platform/time-limit.ts';
import type { SocketRoute } from '../../../../runtime/socket-route.ts';

/** Maximum size of one frame in bytes, as for the body of a webhook. */
const maxFrameBytes = 1024 * 1024;

/**
 * Milliseconds until the connection ends if the service closed it with a frame only. The default of 30 s would delay the
 * next connection. The types of the library do not have this option.
 */
const closing: object = { closeTimeout: 1000 };

export interface DialOptions {
  /** Address with its token. The token never appears in an error. */
  readonly url: URL;
  readonly route: SocketRoute;
  readonly signal: AbortSignal;
  /** Timeout for the whole connection attempt. */
  readonly timeoutMilliseconds: number;
  /** The timer of the timeout. */
  readonly startTimer: StartTimer;
}

/**
 * Opens a WebSocket, through the proxy if the route has one. The socket is paused, so that no frame is lost before the
 * caller listens.
 * @throws {ApiError} The server rejected the upgrade with a status.
 * @throws {ConnectionError} There was no connection.
 */
export async function dial(options: DialOptions): Promise<WebSocket> {
  const { url, route, signal, timeoutMilliseconds, startTimer } = options;
  const limit = limitTime(signal, timeoutMilliseconds, startTimer);
  try {
    const { default: Implementation } = await import('ws');
    const proxy = route.proxyFor(url);
    const tunnel = proxy && (await openTunnel(url, proxy, route, limit.signal));
    const socket = new Implementation(url, {
      maxPayload: maxFrameBytes,
      // Compression would allow small frames that need much memory.
      perMessageDeflate: false,
      followRedirects: false,
      ...closing,
      ...(route.ca && { ca: [...route.ca] }),
      ...(tunnel && { createConnection: tlsThrough(tunnel, url, route) }),
    });
    return await opened(socket, url, limit.signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ApiError || error instanceof ConnectionError) throw error;
    const code = limit.isOver() ? 'TIMEOUT' : codeOf(error);
    const proxy = proxyOrigin(error);
    const via = proxy === undefined ? route.proxyFor(url)?.origin : undefined;
    throw new ConnectionError(code, 'no', url.origin, error, { proxy, via });
  } finally {
    limit.end();
  }
}

function opened(socket: WebSocket, url: URL, limit: AbortSignal): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      limit.removeEventListener('abort', onAbort);
      // A terminated socket reports another error, which must not be unhandled.
      socket.on('error', () => undefined);
      socket.terminate();
      reject(error);
    };
    const onAbort = (): void => fail(limit.reason);
    limit.addEventListener('abort', onAbort);
    if (limit.aborted) return onAbort();
    socket.once('error', fail);
    socket.once('unexpected-response', (_request, response) => fail(rejection(response, url)));
    socket.once('open', () => {
      limit.removeEventListener('abort', onAbort);
      socket.off('error', fail);
      socket.pause();
      resolve(socket);
    });
  });
}

function rejection(response: IncomingMessage, { pathname, origin }: URL): ApiError {
  response.destroy();
  const status = response.statusCode ?? 0;
  const after = Number(response.headers['retry-after'] ?? Number.NaN);
  return new ApiError({
    status,
    errorCode: `HTTP-${status}`,
    message: `${origin} rejected the WebSocket connection with HTTP ${status}`,
    retryAfterSeconds: Number.isFinite(after) && after >= 0 ? after : undefined,
    request: { method: 'GET', path: pathname },
  });
}

/** The error of a proxy, with the origin of the proxy. */
class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly origin: string;
  readonly code: string;

  constructor(origin: string, code: string, cause?: unknown) {
    super(`the proxy ${origin} did not open a tunnel (${code})`, { cause });
    this.origin = origin;
    this.code = code;
  }
}

/** Opens a tunnel to the host of a URL with CONNECT. */
function openTunnel(url: URL, proxy: URL, { ca }: SocketRoute, signal: AbortSignal): Promise<Socket> {
  const target = `${url.hostname}:${url.port || '443'}`;
  const authorization = basicAuthorization(proxy);
  const request = proxy.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const fail = (code: string, cause?: unknown): void => reject(new ProxyError(proxy.origin, code, cause));
    const connect = request({
      host: withoutBrackets(proxy.hostname),
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: target,
      agent: false,
      headers: {
        host: target,
        ...(authorization !== undefined && { 'proxy-authorization': authorization }),
      },
      signal,
      ...(ca && { ca: [...ca] }),
    });
    connect.once('connect', (response: IncomingMessage, socket: Socket) => {
      if (response.statusCode === 200) return resolve(socket);
      socket.destroy();
      return fail(`PROXY_${response.statusCode}`);
    });
    connect.once('response', (response) => {
      response.destroy();
      fail(`PROXY_${response.statusCode}`);
    });
    connect.once('error', (error) => fail(codeOf(error), error));
    connect.end();
  });
}

function tlsThrough(socket: Socket, url: URL, { ca }: SocketRoute): ClientOptions['createConnection'] {
  const host = withoutBrackets(url.hostname);
  // TLS sends no server name for an IP address, and checks the certificate for `host`.
  const servername = isIP(host) === 0 ? host : '';
  const connect = (): TLSSocket => connectTls({ socket, host, servername, ...(ca && { ca: [...ca] }) });
  return connect;
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return 'code' in error && typeof error.code === 'string' ? error.code : 'WEBSOCKET';
}

function proxyOrigin(error: unknown): string | undefined {
  return error instanceof ProxyError && !error.code.startsWith('PROXY_') ? error.origin : undefined;
}
