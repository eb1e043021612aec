import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createProxy } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, createServer, type AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, onTestFinished, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { dial } from '../../../../src/features/live/receive/web-socket/dial.ts';
import { makeCertificate } from '../../../support/certificate.ts';

it('a connection attempt ends at its timeout, also after a garbage collection', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  server.on('connection', (socket) => onTestFinished(() => void socket.destroy()));
  setFlagsFromString('--expose_gc');
  const collect = runInNewContext('gc') as () => void;
  const { port } = server.address() as AddressInfo;
  const accepted = new Promise((resolve) => server.once('connection', resolve));
  const timers: { readonly milliseconds: number; readonly onEnd: () => void }[] = [];
  const attempt = dial({
    url: new URL(`ws://127.0.0.1:${port}/`),
    route: { proxyFor: () => undefined, ca: undefined },
    signal: new AbortController().signal,
    timeoutMilliseconds: 500,
    startTimer: (milliseconds, onEnd) => {
      timers.push({ milliseconds, onEnd });
      return () => void timers.splice(0);
    },
  });
  attempt.catch(() => undefined);
  // The server has accepted the connection and never answers; on Node 20, the timeout of a combined signal could be collected.
  await accepted;
  for (let turn = 0; turn < 5; turn += 1) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(timers.map(({ milliseconds }) => milliseconds)).toEqual([500]);
  timers[0]?.onEnd();
  await expect(attempt).rejects.toMatchObject({ code: 'TIMEOUT' });
  expect(timers).toEqual([]);
});

it.each(['service.test', '192.0.2.5', '[2001:db8::5]'])(
  'a WebSocket to %s goes through a proxy, and its certificate is checked',
  async (host) => {
    const pair = await makeCertificate('service.test', '192.0.2.5', '2001:db8::5');
    const service = createTlsServer({ ...pair });
    const sockets = new WebSocketServer({ server: service });
    const asked: string[] = [];
    const proxy = createProxy().on('connect', (request, client) => {
      asked.push(request.url ?? '');
      const upstream = connect((service.address() as AddressInfo).port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        upstream.pipe(client).pipe(upstream);
      });
      upstream.on('error', () => client.destroy());
      client.on('error', () => upstream.destroy());
    });
    for (const server of [service, proxy]) await once(server.listen(0, '127.0.0.1'), 'listening');
    const warnings: string[] = [];
    const warn = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', warn);
    onTestFinished(() => {
      process.off('warning', warn);
      sockets.close();
      service.closeAllConnections();
      service.close();
      proxy.close();
    });
    const address = new URL(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    const socket = await dial({
      url: new URL(`wss://${host}/`),
      route: { proxyFor: () => address, ca: [pair.cert] },
      signal: new AbortController().signal,
      timeoutMilliseconds: 500,
      startTimer: () => () => undefined,
    });
    socket.terminate();
    expect(asked).toEqual([`${host}:443`]);
    expect(warnings).toEqual([]);
  },
);

it('a connection that the service closes with a frame only ends a second later', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const server = createProxy();
  const replied = new Promise<void>((resolve) => {
    server.on('upgrade', (request, socket) => {
      const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
      const accept = createHash('sha1').update(key).digest('base64');
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      );
      // A Close frame with the code 1001.
      socket.write(Buffer.from([0x88, 0x02, 0x03, 0xe9]));
      socket.once('data', () => resolve());
      socket.on('error', () => undefined);
      onTestFinished(() => void socket.destroy());
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    vi.useRealTimers();
    server.close();
  });
  const socket = await dial({
    url: new URL(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`),
    route: { proxyFor: () => undefined, ca: undefined },
    signal: new AbortController().signal,
    timeoutMilliseconds: 500,
    startTimer: () => () => undefined,
  });
  const closed = once(socket, 'close') as Promise<[number]>;
  socket.resume();
  await replied;
  vi.advanceTimersByTime(1000);
  const [code] = await closed;
  expect(code).toBe(1001);
});
