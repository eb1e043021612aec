import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { Metrics } from '../../../src/features/service/metrics.ts';
import { serveMetrics } from '../../../src/features/service/serve.ts';

async function serving() {
  const ok = { status: 'ok', checks: {} } as const;
  const excluded: (readonly string[])[] = [];
  const server = await serveMetrics(
    '127.0.0.1',
    0,
    {
      metrics: new Metrics('1.0.0'),
      live: () => Promise.resolve(ok),
      ready: (names) => {
        excluded.push(names);
        return Promise.resolve(ok);
      },
    },
    () => undefined,
  );
  onTestFinished(() => server.close());
  /** Sends a target as it is, because `fetch` would change it. */
  const send = async (path: string, method = 'GET') => {
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      request(server.url, { path, method, agent: false }, resolve).on('error', reject).end();
    });
    return { status: reply.statusCode, headers: reply.headers, body: await text(reply) };
  };
  return { send, excluded, url: server.url };
}

it.each([
  '//',
  '///x',
  '/',
  '*',
  '/metrics/',
  '/%',
  '/%2e%2e/metrics',
  '//livez',
  '/\\',
  '/[',
  '/livez/../x',
])('replies 404 to %s', async (path) => {
  const { send } = await serving();
  expect((await send(path)).status).toBe(404);
});

it.each(['/metrics', '/livez?x=%', '/readyz?', 'http://example.com/livez', '/metrics?a?b'])(
  'replies 200 to %s',
  async (path) => {
    const { send } = await serving();
    expect((await send(path)).status).toBe(200);
  },
);

it('replies while others hold as many connections as it accepts', async () => {
  const { send, url } = await serving();
  const { port, hostname } = new URL(url);
  const idle = Array.from({ length: 64 }, () => connect(Number(port), hostname).on('error', () => {}));
  onTestFinished(() => {
    for (const socket of idle) socket.destroy();
  });
  await Promise.all(idle.map((socket) => once(socket, 'connect')));
  expect((await send('/livez')).status).toBe(200);
});

it('reads the excluded checks, also several', async () => {
  const { send, excluded } = await serving();
  await send('/readyz?exclude=store&exclude=stream');
  expect(excluded).toEqual([['store', 'stream']]);
});

it.each(['POST', 'OPTIONS', 'DELETE', 'TRACE'])(
  'replies 405 to %s, with the permitted methods',
  async (method) => {
    const { send } = await serving();
    const { status, headers } = await send('//', method);
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
  },
);

it('replies to HEAD without a body', async () => {
  const { send } = await serving();
  const { status, headers, body } = await send('/livez', 'HEAD');
  expect([status, body, Number(headers['content-length']) > 0]).toEqual([200, '', true]);
});
