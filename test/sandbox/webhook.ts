import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
type Behaviour = (received: Received, response: ServerResponse) => void;

/** Answers a handshake, and 200 to the rest. */
export const good: Behaviour = ({ headers }, response) => {
  const token = headers['validation-token'];
  if (token !== undefined) response.setHeader('validation-token', token);
  response.setHeader('content-type', 'application/json');
  response.end();
};

/** A webhook on the loopback interface that keeps what it received. */
export async function startWebhook(behaviour: Behaviour = good) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const one = { headers: request.headers, body };
      received.push(one);
      behaviour(one, response);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    /** What came with a body: the notifications. */
    notifications: () =>
      received
        .filter(({ body }) => body !== '')
        .map(({ body }) => JSON.parse(body) as Readonly<Record<string, unknown>>),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
