import { EventEmitter } from 'node:events';
import type { WebSocket } from 'ws';
import { expect, it, onTestFinished } from 'vitest';
import { Connection } from '../../../../src/features/live/receive/web-socket/connection.ts';

const tick = 15_000;

interface Sleep {
  readonly milliseconds: number;
  readonly end: () => void;
}

/** The part of a WebSocket that a connection uses. */
class Socket extends EventEmitter {
  readonly OPEN = 1;
  readonly readyState = 1;
  readonly isPaused = false;
  resume(): void {}
  send(): void {}
  ping(): void {}
  terminate(): void {}
}

it('ends the first interval a whole interval after the details, not before missed events can arrive', async () => {
  const sleeps: Sleep[] = [];
  let ticks = 0;
  const socket = new Socket();
  const connection = new Connection(socket as unknown as WebSocket, {
    sleep: (milliseconds) => new Promise((resolve) => sleeps.push({ milliseconds, end: resolve })),
    onDetails: () => undefined,
    onAlive: () => undefined,
    onNotification: () => Promise.resolve(),
    onUnreadable: () => undefined,
    onUnknownType: () => undefined,
    onServiceError: () => undefined,
    onTick: () => void (ticks += 1),
  });
  onTestFinished(() => connection.fail('the test has ended'));
  const early = sleeps.splice(0).filter(({ milliseconds }) => milliseconds === tick);
  socket.emit('message', Buffer.from('[{"type":"ConnectionDetails","messageId":"1"},{}]'), false);
  await connection.details;
  // The rest of an interval that began before the details.
  for (const { end } of early) end();
  await new Promise((resolve) => setImmediate(resolve));
  expect(ticks).toBe(0);
  sleeps.find(({ milliseconds }) => milliseconds === tick)?.end();
  await new Promise((resolve) => setImmediate(resolve));
  expect(ticks).toBe(1);
});
