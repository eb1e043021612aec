import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A webhook that keeps the IDs of new messages that it was notified about. */
export async function startWebhook() {
  const notified = new Set<string>();
  const server = createServer((request, response) => {
    request.on('error', () => response.destroy());
    void (async () => {
      const body = await text(request);
      const token = request.headers['validation-token'];
      if (typeof token === 'string') response.setHeader('validation-token', token);
      response.setHeader('content-type', 'application/json');
      response.end();
      // An encrypted body is text. It contains presence events, which are not counted here.
      if (body === '' || body.startsWith('"')) return;
      const { body: event } = JSON.parse(body) as {
        body: { changes?: readonly { newMessageIds?: string[] }[] };
      };
      for (const change of event.changes ?? []) for (const id of change.newMessageIds ?? []) notified.add(id);
    })();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    notified,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
