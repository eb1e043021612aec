import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { Answer, ServerBindings } from './app.ts';

/** An open port. */
export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

/** Opens a port on the loopback interface unless told otherwise. @throws when it is taken. */
export async function listen(answer: Answer, host = '127.0.0.1', port = 0): Promise<Listening> {
  const server = createAdaptorServer({
    fetch: (request, bindings) =>
      answer(request, bindings as ServerBindings).catch(() => new Response(null, { status: 500 })),
    // A program that starts a sandbox keeps its own Request and Response.
    overrideGlobalObjects: false,
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${name}:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}
