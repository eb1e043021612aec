import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { ConnectionLimit } from '../../../platform/connection-limit.ts';
import { startServer } from '../../../platform/start-server.ts';
import { UnknownPathLimit } from './unknown-path-limit.ts';
import { receive, type ReceiverResponse, type ReceiveSettings } from './request.ts';

export interface ListenerOptions extends ReceiveSettings {
  /** Local address on which the server listens. */
  readonly host: string;
  /** Port of the server; 0 selects a free port. */
  readonly port: number;
  /** Certificate and private key (PEM) for serving https. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** Reports once that connections cannot be accepted. */
  readonly warn: (problem: string) => void;
  /** Maximum number of open connections. */
  readonly maxConnections?: number;
}

export interface Listener {
  readonly port: number;
  /** Stops accepting requests, and closes all connections after at most `drainMilliseconds`. */
  close(drainMilliseconds: number): Promise<void>;
}

/** Short timeouts, so that half-open connections end soon. */
const limits = {
  headersTimeout: 3000,
  requestTimeout: 5000,
  connectionsCheckingInterval: 500,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
};
const defaultMaxConnections = 1024;

/** Starts the HTTP server. @throws the system's error, such as EADDRINUSE. */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const unknownPaths = new UnknownPathLimit(() => performance.now());
  const connections = new ConnectionLimit(options.maxConnections ?? defaultMaxConnections);
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    receive(request, options, { unknownPaths, connections }).then(
      (received) => respond(response, received),
      // The sender closed the connection before the end of the request.
      () => response.destroy(),
    );
  };
  const server = options.tls
    ? createTlsServer({ ...limits, handshakeTimeout: limits.headersTimeout, ...options.tls }, handle)
    : createServer(limits, handle);
  server.on('connection', (socket: Socket) => connections.add(socket));
  await startServer(server, { host: options.host, port: options.port, backlog: 1024 }, options.warn);
  return {
    port: (server.address() as AddressInfo).port,
    close: (drainMilliseconds) => close(server, drainMilliseconds),
  };
}

function respond(response: ServerResponse, { status, headers }: ReceiverResponse): void {
  response.sendDate = false;
  response.writeHead(status, { ...headers, 'content-length': '0' });
  response.end();
}

async function close(server: Server, drainMilliseconds: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const deadline = setTimeout(() => server.closeAllConnections(), drainMilliseconds);
  await closed;
  clearTimeout(deadline);
}
