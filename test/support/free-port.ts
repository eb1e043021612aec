import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * The ports from which a free one is chosen. They are below those that the system gives to connections, and to servers
 * without a port of their own: another test could get such a port before it is used.
 */
const [firstPort, endPort] = [20_000, 32_768];
/** Each worker of the tests has its own ports, because another worker could use a port before the test does. */
const workers = 16;
const ownPort = Number(process.env['VITEST_POOL_ID'] ?? 0) % workers;
const given = new Set<number>();

/** A port of this machine that is free, and that no other call in this process has returned. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(firstPort / workers, endPort / workers) * workers + ownPort;
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
