import { once } from 'node:events';
import { createServer as createProxy } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { createNetwork } from '../../src/client/network.ts';
import { createUndiciHttp, type UndiciHttp } from '../../src/client/undici-http.ts';
import { eventually } from '../support/eventually.ts';
import { runUcctl } from '../support/run-ucctl.ts';

/** The attempts of these tests have no timeout. */
const connectTimeoutMilliseconds = 0;
const request = { method: 'GET', headers: {}, timeoutMilliseconds: 60_000 } as const;

/** A server that accepts connections and never replies. */
async function silent(server: Server = createServer()) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.resume().on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { sockets, port };
}

/** A proxy that receives a CONNECT and either never replies to it, or opens a tunnel to nowhere. */
function proxyWith(reply: string): Server {
  return createProxy().on('connect', (_, client) => {
    client.resume().on('end', () => client.end());
    if (reply !== '') client.write(reply);
  });
}

const stages: readonly [string, () => Promise<{ network: UndiciHttp; url: URL; sockets: Set<Socket> }>][] = [
  [
    'the TLS handshake',
    async () => {
      const { port, sockets } = await silent();
      return {
        network: createUndiciHttp({ connectTimeoutMilliseconds }),
        url: new URL(`https://127.0.0.1:${port}/`),
        sockets,
      };
    },
  ],
  [
    'the TLS handshake with a proxy',
    async () => {
      const { port, sockets } = await silent();
      const network = await createNetwork({ proxy: `https://127.0.0.1:${port}`, connectTimeoutMilliseconds });
      return { network, url: new URL('https://service.test/'), sockets };
    },
  ],
  [
    'the reply of a proxy',
    async () => {
      const { port, sockets } = await silent(proxyWith(''));
      const network = await createNetwork({ proxy: `http://127.0.0.1:${port}`, connectTimeoutMilliseconds });
      return { network, url: new URL('https://service.test/'), sockets };
    },
  ],
  [
    'the TLS handshake through a proxy',
    async () => {
      const { port, sockets } = await silent(proxyWith('HTTP/1.1 200 OK\r\n\r\n'));
      const network = await createNetwork({ proxy: `http://127.0.0.1:${port}`, connectTimeoutMilliseconds });
      return { network, url: new URL('https://service.test/'), sockets };
    },
  ],
];

it.each(stages)('an abort during %s ends the request and the attempt', async (_, open) => {
  const { network, url, sockets } = await open();
  const stop = new AbortController();
  let isUnsent = false;
  const onUnsent = (): void => void (isUnsent = true);
  const reply = network.send({ ...request, url, signal: stop.signal, onUnsent });
  reply.catch(() => undefined);
  await eventually(() => expect(sockets.size).toBe(1));
  const reason = new Error('interrupted');
  stop.abort(reason);
  await expect(reply).rejects.toBe(reason);
  expect(isUnsent).toBe(true);
  await eventually(() => expect(sockets.size).toBe(0));
  await network.close();
});

it('an abort does not end an attempt that another request needs', async () => {
  const { port, sockets } = await silent();
  const network = createUndiciHttp({ connections: 1, connectTimeoutMilliseconds });
  const url = new URL(`https://127.0.0.1:${port}/`);
  const stops = [new AbortController(), new AbortController()];
  const replies = stops.map(({ signal }) => network.send({ ...request, url, signal }));
  await eventually(() => expect(sockets.size).toBe(1));
  stops[0]?.abort();
  await expect(replies[0]).rejects.toThrow('aborted');
  expect(sockets.size).toBe(1);
  stops[1]?.abort();
  await expect(replies[1]).rejects.toThrow('aborted');
  await eventually(() => expect(sockets.size).toBe(0));
  await network.close();
});

it('a request that begins while an attempt ends gets another attempt', async () => {
  const { port, sockets } = await silent();
  const network = createUndiciHttp({ connections: 1, connectTimeoutMilliseconds });
  const url = new URL(`https://127.0.0.1:${port}/`);
  const [stop, stopNext] = [new AbortController(), new AbortController()];
  const reply = network.send({ ...request, url, signal: stop.signal });
  reply.catch(() => undefined);
  await eventually(() => expect(sockets.size).toBe(1));
  const [first] = sockets;
  stop.abort();
  const next = network.send({ ...request, url, signal: stopNext.signal });
  next.catch(() => undefined);
  await eventually(() => {
    expect(sockets.size).toBe(1);
    expect(sockets.has(first as Socket)).toBe(false);
  });
  const reason = new Error('interrupted');
  stopNext.abort(reason);
  await expect(next).rejects.toBe(reason);
  await network.close();
});

it('a proxy that does not reply to CONNECT is named after the timeout', async () => {
  const { port } = await silent(proxyWith(''));
  const proxy = `http://127.0.0.1:${port}`;
  const network = await createNetwork({ proxy, connectTimeoutMilliseconds: 1 });
  await expect(network.send({ ...request, url: new URL('https://service.test/') })).rejects.toMatchObject({
    code: 'UND_ERR_CONNECT_TIMEOUT',
    reached: 'no',
    proxy,
  });
  await network.close();
});

it('a proxy that does not reply with HTTP is named, and the request was not sent', async () => {
  const { port } = await silent(createServer((client) => void client.write('220 mail.test ESMTP\r\n')));
  const proxy = `http://127.0.0.1:${port}`;
  const network = await createNetwork({ proxy, connectTimeoutMilliseconds });
  await expect(network.send({ ...request, url: new URL('https://service.test/') })).rejects.toMatchObject({
    code: 'HTTPParserError',
    reached: 'no',
    proxy,
  });
  await network.close();
});

it('a timeout behind the tunnel of a proxy is that of the service', async () => {
  const { port } = await silent(proxyWith('HTTP/1.1 200 OK\r\n\r\n'));
  const via = `http://127.0.0.1:${port}`;
  // The tunnel is opened within this time, also on a busy machine.
  const network = await createNetwork({ proxy: via, connectTimeoutMilliseconds: 5000 });
  await expect(network.send({ ...request, url: new URL('https://service.test/') })).rejects.toMatchObject({
    message: 'no reply from https://service.test (UND_ERR_CONNECT_TIMEOUT)',
    reached: 'no',
    proxy: undefined,
    via,
  });
  await network.close();
});

it.each([
  ['closes the connection', (client: Socket) => void client.destroy()],
  ['resets the connection', (client: Socket) => void client.resetAndDestroy()],
  ['ends the connection', (client: Socket) => void client.end()],
])('a proxy that %s instead of a reply to CONNECT is named after one attempt', async (_, stop) => {
  let attempts = 0;
  const server = createServer((client) => {
    client.on('error', () => undefined);
    client.once('data', () => {
      attempts += 1;
      // undici would connect again without end.
      if (attempts > 3) server.close();
      stop(client);
    });
  });
  const { port } = await silent(server);
  const proxy = `http://127.0.0.1:${port}`;
  const network = await createNetwork({ proxy, connectTimeoutMilliseconds });
  await expect(network.send({ ...request, url: new URL('https://service.test/') })).rejects.toMatchObject({
    code: 'ECONNRESET',
    reached: 'no',
    proxy,
  });
  expect(attempts).toBe(1);
  await network.close();
});

/** Returns the first result: that of `work`, or the failure of an attempt with the default timeout that started earlier. */
async function beforeDefaultTimeout<T>(url: URL, work: () => Promise<T>): Promise<T | 'default timeout'> {
  const network = createUndiciHttp();
  const stop = new AbortController();
  const byDefault = network.send({ ...request, url, signal: stop.signal });
  const first = await Promise.race([work(), byDefault.catch(() => 'default timeout' as const)]);
  stop.abort();
  await network.close();
  return first as T | 'default timeout';
}

it.each([
  ['without other settings', {}],
  ['with a proxy for other hosts', { HTTPS_PROXY: 'http://proxy.test:1' }],
])(
  '--timeout limits the time of a connection attempt %s',
  async (_, env: Readonly<Record<string, string>>) => {
    const { port } = await silent();
    const origin = `https://127.0.0.1:${port}`;
    const run = () =>
      runUcctl(`queue list --base-url ${origin} --timeout 1 --retry 0`, {
        env: { ...env, UCCTL_TOKEN: 'token' },
      });
    expect(await beforeDefaultTimeout(new URL(origin), run)).toMatchObject({
      exit: 7,
      stderr: expect.stringContaining('timeout while connecting'),
    });
  },
);

it('the timeout of a client limits the time of a connection attempt', async () => {
  const { port } = await silent();
  const baseUrl = `https://127.0.0.1:${port}`;
  const client = createClient({ baseUrl, token: 'token', timeoutMilliseconds: 1, retries: 0 });
  const read = () => client.extensions.get('~').catch((error: unknown) => error);
  expect(await beforeDefaultTimeout(new URL(baseUrl), read)).toMatchObject({
    code: 'UND_ERR_CONNECT_TIMEOUT',
    reached: 'no',
  });
  await client.close();
});
