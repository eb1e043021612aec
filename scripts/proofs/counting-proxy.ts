import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Sandbox } from '../../src/sandbox/index.ts';

/** A request that the service answered. */
export interface Answered {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly status: number;
}

/** A proxy in front of a sandbox, which counts requests. */
export interface CountingProxy {
  readonly url: string;
  /** Number of counted requests since the last call of `reached`. */
  count(): number;
  /** Restarts the count; the promise resolves when that many requests have arrived. */
  reached(count: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts the proxy.
 * @param isCounted selects the requests that are counted
 * @param answered called for every reply, before it is forwarded
 */
export async function startCountingProxy(
  sandbox: Sandbox,
  isCounted: (method: string) => boolean,
  answered: (request: Answered) => void,
): Promise<CountingProxy> {
  let seen = 0;
  let wanted = Number.POSITIVE_INFINITY;
  let wake: () => void = () => undefined;
  const server = createServer((request, response) => {
    const { method = 'GET', url: path = '' } = request;
    if (isCounted(method)) seen += 1;
    if (seen >= wanted) wake();
    void (async () => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece as Buffer);
      const body = Buffer.concat(pieces).toString();
      const { authorization = '' } = request.headers;
      const reply = await sandbox.fetch(
        new Request(`${sandbox.url}${path}`, {
          method,
          headers: { authorization, 'content-type': 'application/json' },
          ...(body !== '' && { body }),
        }),
      );
      answered({ method, path, body, status: reply.status });
      response.writeHead(reply.status, { 'content-type': 'application/json' });
      response.end(await reply.text());
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: () => seen,
    reached(count) {
      seen = 0;
      wanted = count;
      return new Promise((resolve) => {
        wake = resolve;
      });
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
