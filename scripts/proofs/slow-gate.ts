import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface SlowGate {
  readonly url: string;
  /** Resolves at the next slow request. */
  nextTokenRequest(): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds by which a request and its reply are delayed. */
interface Waits {
  readonly before: number;
  readonly after: number;
}

/**
 * A proxy that delays requests, by default those to the token endpoint, before the sandbox processes them, and the
 * replies after that. The request of a client that has disconnected during the first wait is not forwarded.
 * @param wait returns the milliseconds of both delays, or a promise that resolves when the request may continue.
 */
export async function openSlowGate(
  target: string,
  wait: () => Waits | Promise<Waits>,
  isSlow: (path: string) => boolean = (path) => path.endsWith('/oauth/token'),
): Promise<SlowGate> {
  let onToken: () => void = () => undefined;
  const server = createServer((incoming, outgoing) => {
    const isToken = isSlow(new URL(incoming.url ?? '', target).pathname);
    if (isToken) onToken();
    const waits = isToken ? wait() : { before: 0, after: 0 };
    pass(target, waits, incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    nextTokenRequest: () =>
      new Promise((resolve) => {
        onToken = resolve;
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function pass(
  target: string,
  waits: Waits | Promise<Waits>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  const { before, after } = await waits;
  await delay(before);
  if (outgoing.destroyed || incoming.socket.destroyed) return;
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    const { host: _host, connection: _connection, ...headers } = incoming.headers;
    const asked = request(
      new URL(incoming.url ?? '/', target),
      { method: incoming.method, headers, agent: false },
      resolve,
    );
    asked.once('error', reject);
    asked.end(Buffer.concat(pieces));
  });
  await delay(after);
  const { connection: _closed, ...headers } = reply.headers;
  outgoing.writeHead(reply.statusCode ?? 502, headers);
  reply.pipe(outgoing);
}
