import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A link to a PostgreSQL server that a test can freeze. */
export interface FreezingProxy {
  /** The address of the store through the link. */
  readonly url: string;
  /** From now on, the server seems to be suspended: it keeps and accepts connections, but neither replies nor closes them. */
  freeze(): void;
}

/** Listens on loopback for connections without TLS. */
export async function startFreezingProxy(url: string): Promise<FreezingProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port: Number(target.port), host: target.hostname, allowHalfOpen: true });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from
        .on('data', (bytes) => isFrozen || to.write(bytes))
        .on('end', () => isFrozen || to.end())
        .on('error', () => undefined);
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const near = new URL(url);
  near.hostname = '127.0.0.1';
  near.port = String((server.address() as AddressInfo).port);
  return {
    url: near.href,
    freeze: () => {
      isFrozen = true;
    },
  };
}
