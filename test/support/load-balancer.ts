import { once } from 'node:events';
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A load balancer with one address for several receivers. */
export interface LoadBalancer {
  readonly url: string;
  /** Port of each receiver that gets requests, in turn. */
  readonly ports: Set<number>;
  /** Requests that a receiver acknowledged with 200, by port. */
  readonly acknowledged: ReadonlyMap<number, number>;
  /** Whether notifications are answered with 200 before a receiver has them, as no receiver may. */
  acknowledgesFirst: boolean;
  close(): Promise<void>;
}

/** Starts a load balancer without receivers. A request whose receiver does not answer gets 502. */
export async function startLoadBalancer(acknowledgesFirst = false): Promise<LoadBalancer> {
  const ports = new Set<number>();
  const acknowledged = new Map<number, number>();
  let turn = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const targets = [...ports];
    turn += 1;
    if (balancer.acknowledgesFirst && body.length > 0) {
      response.writeHead(200).end();
      await forward(request, body, targets[turn % targets.length] ?? 0);
      return;
    }
    for (let tried = 0; tried < targets.length; tried += 1) {
      const port = targets[(turn + tried) % targets.length] ?? 0;
      const status = await forward(request, body, port, response);
      if (status === undefined) continue;
      if (status === 200) acknowledged.set(port, (acknowledged.get(port) ?? 0) + 1);
      return;
    }
    response.writeHead(502).end();
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const balancer: LoadBalancer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ports,
    acknowledged,
    acknowledgesFirst,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return balancer;
}

/** Returns the status of the receiver; undefined if it is not reachable, so that another one can be tried. */
function forward(
  { method, url, headers }: IncomingMessage,
  body: Buffer,
  port: number,
  response?: ServerResponse,
): Promise<number | undefined> {
  return new Promise((resolve) => {
    const forwarded = send({ host: '127.0.0.1', port, path: url, method, headers }, (reply) => {
      if (response) {
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(response);
        reply.on('error', () => response.destroy());
      } else reply.resume();
      resolve(reply.statusCode ?? 502);
    });
    forwarded.on('error', () => resolve(undefined));
    forwarded.end(body);
  });
}
