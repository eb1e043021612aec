import { createServer, type AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, onTestFinished } from 'vitest';
import { dial } from '../../../../src/features/live/receive/web-socket/dial.ts';

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
