import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook that accepts every notification. */
export interface WebhookProgram {
  readonly address: string;
  close(): Promise<void>;
}

/** Starts a webhook on the loopback interface. */
export async function startProgram(): Promise<WebhookProgram> {
  const server = createServer((request, response) => {
    const token = request.headers['validation-token'];
    if (token !== undefined) response.setHeader('validation-token', token);
    request.resume().on('end', () => response.end());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
