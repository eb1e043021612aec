import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createAdaptorServer } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Answer, ServerBindings } from './app.ts';
import { Interrupted } from '../control/interrupted.ts';

/** An open port. */
export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}
export interface ListenOptions {
  /** The loopback interface unless told otherwise. */
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly tls?: { readonly key: string; readonly cert: string } | undefined;
  /** Time for a whole request to arrive; for its head a third of it. */
  readonly requestMilliseconds?: number | undefined;
}

/** Opens a port. @throws when it is taken. */
export async function listen(answer: Answer, options: ListenOptions = {}): Promise<Listening> {
  const { host = '127.0.0.1', port = 0, tls, requestMilliseconds = 30_000 } = options;
  const limits = {
    // A missing Host is refused in the service's own words.
    requireHostHeader: false,
    requestTimeout: requestMilliseconds,
    headersTimeout: Math.ceil(requestMilliseconds / 3),
    connectionsCheckingInterval: Math.min(1000, Math.ceil(requestMilliseconds / 3)),
  };
  const server = createAdaptorServer({
    fetch: (request, bindings) => {
      const { incoming, outgoing } = bindings as ServerBindings;
      return answer(request, bindings as ServerBindings).catch((error: unknown) => {
        if (error instanceof Interrupted && outgoing) return interrupt(error, outgoing);
        // The client is gone, or something failed that nobody may see.
        if (incoming?.destroyed) outgoing?.destroy();
        return new Response(null, { status: 500 });
      });
    },
    ...(tls
      ? { createServer: sound(createHttpsServer), serverOptions: { ...limits, ...tls } }
      : { createServer: sound(createHttpServer), serverOptions: limits }),
    // A program that starts a sandbox keeps its own Request and Response.
    overrideGlobalObjects: false,
  }) as Server;
  server.on('clientError', refuseBadClient);
  // A proxy is wanted, or something that HTTP does not define: both are answered in the service's words, too.
  server.on('connect', (_request: IncomingMessage, socket: Duplex) =>
    reject(socket, 404, { errorCode: 'AGW-404', message: 'Resource not found', errors: [] }),
  );
  server.on('checkExpectation', ({ socket }: IncomingMessage) => {
    const [errorCode, message] = ['CMN-407', 'Header [Expect] is invalid'];
    reject(socket, 417, { errorCode, message, errors: [{ errorCode, message }] });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `${tls ? 'https' : 'http'}://${name}:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What a fault wants of the connection. */
function interrupt({ reply }: Interrupted, outgoing: NonNullable<ServerBindings['outgoing']>): Response {
  if (!reply) outgoing.socket?.resetAndDestroy();
  else {
    outgoing.writeHead(reply.status, { ...reply.headers });
    outgoing.write(reply.part, () => outgoing.destroy());
  }
  return RESPONSE_ALREADY_SENT;
}

const refusals: Readonly<Record<string, readonly [number, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time'],
  HPE_HEADER_OVERFLOW: [431, 'The request headers are too large'],
};

type CreateServer = (options: object, listener: RequestListener) => unknown;

/** Servers whose requests are turned away with the service's own error where no address can be made of them. */
function sound<T>(create: T): T {
  const make: CreateServer = (options, listener) =>
    (create as CreateServer)(options, (request, response) => {
      const refusal = faultOf(request);
      if (!refusal) return listener(request, response);
      const [status, errorCode, message] = refusal;
      response.writeHead(status, { 'content-type': 'application/json;charset=UTF-8' });
      response.end(
        JSON.stringify({ errorCode, message, errors: status === 404 ? [] : [{ errorCode, message }] }),
      );
    });
  return make as T;
}

function faultOf({ url = '', headers }: IncomingMessage): readonly [number, string, string] | undefined {
  const { host = '' } = headers;
  // What nearly every request looks like needs no parser.
  if (/^(127\.0\.0\.1|localhost)(:[1-5]?\d{1,4})?$/.test(host) && /^\/[\w\-./~?=&%]*$/.test(url))
    return undefined;
  const base = `http://${host}`;
  const hasName = /^(\[[\da-f:.]+\]|[\w.-]+)(:\d+)?$/i.test(host) && URL.canParse(base);
  if (!hasName) return [400, 'CMN-407', 'Header [Host] is invalid'];
  const isAbsolute = /^https?:\/\//i.test(url);
  if (!isAbsolute && !url.startsWith('/')) return [404, 'AGW-404', 'Resource not found'];
  const path = url.split('?', 1)[0] ?? '';
  if (!path.includes('\\') && URL.canParse(isAbsolute ? url : base + url)) return undefined;
  return [400, 'CMN-104', 'The address of the request is malformed'];
}

/** What is no request gets the service's error too. */
function refuseBadClient(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] = refusals[error.code ?? ''] ?? [400, 'The request is malformed'];
  reject(socket, status, { errorCode: 'CMN-104', message, errors: [{ errorCode: 'CMN-104', message }] });
}

/** Answers without a request, and ends the connection. */
function reject(socket: Duplex, status: number, reply: object): void {
  const body = JSON.stringify(reply);
  const head = [
    `HTTP/1.1 ${status} Refused`,
    'Content-Type: application/json;charset=UTF-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
