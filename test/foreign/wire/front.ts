import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { plain } from '../service/make.ts';
import { ForeignService } from '../service/foreign-service.ts';
import { routeOf, type OperationName } from '../service/operations.ts';
import { bytesOf, type WireFault } from './fault.ts';

/** The foreign service behind a connection that fails once, at the first request for one operation. */
export interface FaultyFront extends AsyncDisposable {
  readonly service: ForeignService;
  readonly url: string;
  /** How often the service received the request for that operation. */
  arrived(): number;
  /** Whether the fault occurred. */
  struck(): boolean;
}

export interface FrontOptions {
  readonly seed: number;
  readonly now: number;
  readonly operation: OperationName;
  readonly fault: WireFault;
}

/** Opens a front on a free port of this machine; the caller disposes of it. */
export async function openFront({ seed, now, operation, fault }: FrontOptions): Promise<FaultyFront> {
  const sockets = new Set<Socket>();
  const over = new AbortController();
  let struck = false;
  const answer = async (socket: Socket, request: RawRequest): Promise<void> => {
    const url = new URL(request.path, origin);
    const asked = { method: request.method, url, headers: request.headers, body: request.body };
    const isIt = !struck && routeOf(request.method, url.pathname)?.name === operation;
    if (!isIt) {
      socket.write(bytesOf(service.answer(asked)));
      if (!struck && fault.ahead !== undefined) socket.write(fault.ahead);
      return;
    }
    struck = true;
    const twin = new ForeignService({ seed, setting: { origin, now }, how: plain });
    // When the service never receives the request, a second service supplies the reply.
    const reply = (fault.isForwarded ? service : twin).answer(asked);
    const gone = new AbortController();
    socket.once('close', () => gone.abort());
    const signal = AbortSignal.any([over.signal, gone.signal]);
    await fault.act({
      socket,
      reply,
      pause: async (milliseconds) => {
        await delay(milliseconds, undefined, { signal });
      },
    });
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    // Bytes that a fault can no longer send, because the other side closed the connection, are not a failure.
    readRequests(socket, (request) => void answer(socket, request).catch(() => undefined));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const service = new ForeignService({ seed, setting: { origin, now }, how: plain });
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  };
  if (fault.isConnectionRefused) {
    struck = true;
    await close();
  }
  return {
    service,
    url: origin,
    arrived: () => service.exchanges.filter((exchange) => exchange.operation === operation).length,
    struck: () => struck,
    async [Symbol.asyncDispose]() {
      over.abort();
      for (const socket of sockets) socket.destroy();
      await close();
    },
  };
}

interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Splits the requests of a connection. */
function readRequests(socket: Socket, onRequest: (request: RawRequest) => void): void {
  let buffer = Buffer.alloc(0);
  socket.on('data', (piece: Buffer) => {
    buffer = Buffer.concat([buffer, piece]);
    for (;;) {
      const end = buffer.indexOf('\r\n\r\n');
      if (end < 0) return;
      const [line = '', ...fields] = buffer.subarray(0, end).toString('latin1').split('\r\n');
      const [method = '', path = ''] = line.split(' ');
      const headers = Object.fromEntries(
        fields.map((field) => [
          field.slice(0, field.indexOf(':')).toLowerCase(),
          field.slice(field.indexOf(':') + 1).trim(),
        ]),
      );
      const rest = buffer.subarray(end + 4);
      const length = lengthOf(headers, rest);
      if (length === undefined || rest.length < length) return;
      buffer = rest.subarray(length);
      onRequest({ method, path, headers, body: rest.subarray(0, length).toString('utf8') });
    }
  });
}

/** Number of following bytes that belong to the body; undefined while a chunked body is incomplete. */
function lengthOf(headers: Readonly<Record<string, string>>, rest: Buffer): number | undefined {
  if (!/chunked/i.test(headers['transfer-encoding'] ?? '')) return Number(headers['content-length'] ?? 0);
  const end = rest.indexOf('0\r\n\r\n');
  return end < 0 ? undefined : end + 5;
}
