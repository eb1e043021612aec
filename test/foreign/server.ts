import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ForeignService, type ForeignOptions } from './service/foreign-service.ts';

/** The foreign service behind a real socket. */
export interface ForeignServer extends AsyncDisposable {
  readonly service: ForeignService;
  readonly url: string;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

/** Starts the service on a free port of this machine; the caller disposes of it. */
export async function startForeignServer(
  options: Omit<ForeignOptions, 'setting'> & { readonly now: number },
): Promise<ForeignServer> {
  const server = createServer((request, response) => {
    void (async () => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
      );
      const url = new URL(request.url ?? '/', origin);
      const reply = service.answer({
        method: request.method ?? '',
        url,
        headers,
        body: await bodyOf(request),
      });
      const framing = reply.isChunked ? [] : [['Content-Length', String(reply.body.length)]];
      const isBodyless = reply.status === 204 || reply.status === 304;
      // As pairs, so that the names of headers keep their spelling.
      response.writeHead(reply.status, [...reply.headers, ...(isBodyless ? [] : framing)].flat());
      if (isBodyless) response.end();
      else response.end(reply.body);
    })();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { now, ...rest } = options;
  const service = new ForeignService({ ...rest, setting: { origin, now } });
  return {
    service,
    url: origin,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
