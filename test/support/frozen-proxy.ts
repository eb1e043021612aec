import { connect, type Socket } from 'node:net';
import { openLink } from './store-link.ts';

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
  const accept = (near: Socket): void => {
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
  };
  const link = await openLink(url, sockets, accept, { allowHalfOpen: true });
  return {
    url: link,
    freeze: () => {
      isFrozen = true;
    },
  };
}
