import { once } from 'node:events';
import { createServer } from 'node:net';
import { onTestFinished } from 'vitest';

/** Creates a socket with this name until the end of the test, so that nobody can create or open a file there, not even root. */
export async function occupy(path: string): Promise<void> {
  const server = createServer().listen(path);
  onTestFinished(async () => {
    server.close();
    await once(server, 'close');
  });
  await once(server, 'listening');
}
