import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { StrangerLimit } from './stranger-limit.ts';
import { receive, type Answer, type ReceiveSettings } from './request.ts';

export interface ListenerOptions extends ReceiveSettings {
  /** Address to bind; this machine's unless something else is asked for. */
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** PEM of a certificate and its key: then it speaks https. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
}

export interface Listener {
  readonly port: number;
  /** Stops accepting, lets answers go out for at most `drainMilliseconds`, then cuts what is left. */
  close(drainMilliseconds: number): Promise<void>;
}

/** Many half-open connections must not crowd out good ones: a high cap, and short timeouts. */
const limits = {
  headersTimeout: 3000,
  requestTimeout: 5000,
  connectionsCheckingInterval: 500,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
};
const maxConnections = 1024;

/** Starts receiving. @throws the system's error, such as EADDRINUSE. */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const strangers = new StrangerLimit(() => performance.now());
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    receive(request, options, strangers).then(
      (answer) => reply(response, answer),
      // The sender broke off, or its body was cut: there is no one left to answer.
      () => response.destroy(),
    );
  };
  const server = options.tls
    ? createTlsServer({ ...limits, handshakeTimeout: limits.headersTimeout, ...options.tls }, answer)
    : createServer(limits, answer);
  server.maxConnections = maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: options.host, port: options.port, backlog: 1024 }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: (drainMilliseconds) => close(server, drainMilliseconds),
  };
}

function reply(response: ServerResponse, answer: Answer): void {
  response.sendDate = false;
  response.writeHead(answer.status, { ...answer.headers, 'content-length': '0' });
  response.end();
}

async function close(server: Server, drainMilliseconds: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), drainMilliseconds);
  await closed;
  clearTimeout(cut);
}
