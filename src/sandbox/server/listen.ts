import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Answer, ServerBindings } from './app.ts';
import { Interrupted } from '../control/interrupted.ts';
import { isEveryAddress } from './every-address.ts';
import { serveRejections, type RejectedRequest } from './rejections.ts';
import { serveUpgrades, type SocketPort } from './upgrade.ts';
import { startServer } from '../../platform/start-server.ts';

/** Settings of a port that the sandbox listens on. */
export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}
export interface ListenOptions {
  /** Address to listen on; default: loopback. */
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly tls?: { readonly key: string; readonly cert: string } | undefined;
  /**
   * Maximum time for receiving a complete request, in milliseconds. The headers must arrive within a third of this
   * time.
   */
  readonly requestMilliseconds?: number | undefined;
  /** Serves WebSockets; without it, requests for another protocol are ordinary requests. */
  readonly sockets?: Omit<SocketPort, 'host'> | undefined;
  /** Called once if connections cannot be accepted. */
  readonly onWarning?: ((text: string) => void) | undefined;
  /** Called with each request that is rejected before it reaches `answer`. */
  readonly onRejected: (request: RejectedRequest) => void;
}

/** Opens a port. @throws when the port is in use. */
export async function listen(answer: Answer, options: ListenOptions): Promise<Listening> {
  const { host = '127.0.0.1', port = 0, tls, requestMilliseconds = 30_000 } = options;
  const { sockets, onWarning, onRejected } = options;
  const limits = {
    // The reply to a missing Host header has an error body of the service instead of Node's.
    requireHostHeader: false,
    requestTimeout: requestMilliseconds,
    headersTimeout: Math.ceil(requestMilliseconds / 3),
    // Long, so that a client rarely sends a request on a connection that the server is just closing.
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: Math.min(1000, Math.ceil(requestMilliseconds / 3)),
  };
  const server = createAdaptorServer({
    fetch: (request, bindings) => {
      const { incoming, outgoing } = bindings as ServerBindings;
      return answer(request, bindings as ServerBindings).catch((error: unknown) => {
        if (error instanceof Interrupted && outgoing) return interrupt(error, outgoing);
        // The error is not shown, because the client has disconnected or internal errors must not be exposed.
        if (incoming?.destroyed) outgoing?.destroy();
        return new Response(null, { status: 500 });
      });
    },
    ...(tls
      ? { createServer: sound(createHttpsServer, onRejected), serverOptions: { ...limits, ...tls } }
      : { createServer: sound(createHttpServer, onRejected), serverOptions: limits }),
    // With this option, the server does not replace the global Request and Response of the program that
    // starts the sandbox.
    overrideGlobalObjects: false,
  }) as Server;
  const endUpgraded = sockets && serveUpgrades(server, tls !== undefined, { ...sockets, host });
  serveRejections(server, onRejected);
  await startServer(server, { port, host }, onWarning);
  const address = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://${nameOf(address)}:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        endUpgraded?.();
      }),
  };
}

/** Returns the host of a URL for an address; for all addresses of this machine, the loopback address. */
function nameOf({ address, family }: AddressInfo): string {
  if (family !== 'IPv6') return isEveryAddress(address) ? '127.0.0.1' : address;
  return isEveryAddress(address) ? '[::1]' : `[${address}]`;
}

/** Ends the connection because of a fault. */
function interrupt({ reply }: Interrupted, outgoing: NonNullable<ServerBindings['outgoing']>): Response {
  if (!reply) outgoing.socket?.resetAndDestroy();
  else {
    outgoing.writeHead(reply.status, { ...reply.headers });
    outgoing.write(reply.part, () => outgoing.destroy());
  }
  return RESPONSE_ALREADY_SENT;
}

type CreateServer = (options: object, listener: RequestListener) => unknown;

/** Answers requests whose target is not a valid URL with an error body of the service. */
function sound<T>(create: T, onRejected: ListenOptions['onRejected']): T {
  const make: CreateServer = (options, listener) =>
    (create as CreateServer)(options, (request, response) => {
      const rejection = faultOf(request);
      if (!rejection) return listener(request, response);
      const [status, errorCode, message] = rejection;
      onRejected({ method: request.method ?? '', target: request.url ?? '', status, errorCode, message });
      response.writeHead(status, { 'content-type': 'application/json;charset=UTF-8' });
      response.end(
        JSON.stringify({ errorCode, message, errors: status === 404 ? [] : [{ errorCode, message }] }),
      );
    });
  return make as T;
}

function faultOf({ url = '', headers }: IncomingMessage): readonly [number, string, string] | undefined {
  const { host = '' } = headers;
  // Nearly every target matches this pattern; only other targets need the slower URL parser.
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
