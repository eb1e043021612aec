import { createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** How a link accepts connections. */
interface LinkOptions {
  /** Whether the end of one direction leaves the other one open. */
  readonly allowHalfOpen?: boolean;
}

/**
 * Listens on loopback, in front of a PostgreSQL server, for connections without TLS until the test ends.
 * @param sockets all sockets of the link, which are then destroyed.
 * @returns the address of the store through the link.
 */
export async function openLink(
  url: string,
  sockets: ReadonlySet<Socket>,
  accept: (near: Socket) => void,
  options: LinkOptions = {},
): Promise<string> {
  const server = createServer(options, accept);
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
  return near.href;
}
