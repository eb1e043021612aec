import { describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { loseConnection, socketUser, startCurrent, type TestSocket } from './client.ts';

/** Positions of the events of a connection. */
function sequences(socket: TestSocket): readonly (number | undefined)[] {
  return socket.of('ServerNotification').map(({ wsc }) => wsc?.sequence);
}

async function subscribed(options: Parameters<typeof startCurrent>[0] = {}) {
  const sandbox = await startCurrent(options);
  const user = await socketUser(sandbox);
  const socket = await user.connect();
  await socket.subscribe();
  return { sandbox, user, socket };
}

describe('spec:SOCKET-7 recovery', () => {
  test('a new connection with the last position gets the missed events, after ConnectionDetails', async () => {
    const { sandbox, user, socket } = await subscribed();
    await user.text('one');
    await socket.expect('ServerNotification', 1);
    await loseConnection(sandbox, socket);
    await user.text('two');
    await user.text('three');
    const again = await user.connect(socket.position);
    expect(again.frames).toMatchObject([
      { type: 'ConnectionDetails', wsc: { sequence: 2 }, body: { recoveryState: 'Successful' } },
    ]);
    await again.expect('ServerNotification', 2);
    expect(sequences(again)).toEqual([3, 4]);
    await user.text('four');
    await again.expect('ServerNotification', 3);
    expect(sequences(again)).toEqual([3, 4, 5]);
    expect(sandbox.subscriptions()).toHaveLength(1);
  });

  test('an earlier position gets the events after it again; the connection that was open before ends', async () => {
    const { user, socket } = await subscribed();
    const early = socket.position;
    await user.text('one');
    await user.text('two');
    await socket.expect('ServerNotification', 2);
    const again = await user.connect(early);
    await again.expect('ServerNotification', 2);
    expect(sequences(again)).toEqual([2, 3]);
    expect(again.of('ServerNotification').map(({ body }) => body['uuid'])).toEqual(
      socket.of('ServerNotification').map(({ body }) => body['uuid']),
    );
    await socket.end();
  });

  test('only the newest 100 events are recovered', async () => {
    const { sandbox, user, socket } = await subscribed();
    await loseConnection(sandbox, socket);
    for (let count = 0; count < 105; count += 1) await user.text(`${count}`);
    const again = await user.connect(socket.position);
    expect(again.frames[0]).toMatchObject({ body: { recoveryState: 'Successful' } });
    await again.expect('ServerNotification', 100);
    expect(sequences(again).at(0)).toBe(7);
    expect(sequences(again).at(-1)).toBe(106);
  });

  test('a burst reaches an open connection completely', async () => {
    const { sandbox, user, socket } = await subscribed();
    await Promise.all(Array.from({ length: 150 }, (_item, index) => user.text(`${index}`)));
    await socket.expect('ServerNotification', 150);
    await sandbox.clock.advance(10_000);
    // Each text is sent and delivered, which are two more events.
    await socket.expect('ServerNotification', 450);
    expect(sequences(socket)).toEqual(Array.from({ length: 450 }, (_item, index) => index + 2));
  });

  test('after 180 s of the sandbox clock the session has ended', async () => {
    const { sandbox, user, socket } = await subscribed();
    await loseConnection(sandbox, socket);
    await sandbox.clock.advance(179_000);
    expect(sandbox.subscriptions()).toHaveLength(1);
    await sandbox.clock.advance(1000);
    expect(sandbox.subscriptions()).toEqual([]);
    const again = await user.connect(socket.position);
    expect(again.frames[0]?.body).toMatchObject({
      recoveryState: 'Failed',
      recoveryErrorCode: expect.any(String) as string,
    });
    expect(await again.subscribe()).toMatchObject({ status: 200 });
  });

  test('an unknown position, that of another user, and one of the future fail', async () => {
    const { sandbox, user, socket } = await subscribed();
    const [key = ''] = socket.position.split('.');
    const stranger = await socketUser(sandbox, '103');
    const states = [
      await user.connect('nonsense'),
      await user.connect(`${key}.99`),
      await user.connect(`${key}.0`),
      await stranger.connect(socket.position),
    ].map(({ frames }) => frames[0]?.body['recoveryState']);
    expect(states).toEqual(['Failed', 'Failed', 'Failed', 'Failed']);
    expect(socket.closed).toBeUndefined();
  });

  test('the daily close keeps the session', async () => {
    const { sandbox, socket } = await subscribed({ settings: { webSocketIdleSeconds: 100_000 } });
    await sandbox.clock.advance(86_400_000);
    expect(await socket.end()).toEqual({ code: 1001, reason: 'WSG-903' });
    // The access token has expired too.
    const next = await socketUser(sandbox);
    await next.text('missed');
    const again = await next.connect(socket.position);
    await again.expect('ServerNotification', 1);
  });

  test('sessions that wait for a connection make room for new subscriptions', async () => {
    const { sandbox, user, socket } = await subscribed({ settings: { subscriptionsPerUser: 2 } });
    for (let count = 0; count < 4; count += 1) {
      const next = await user.connect();
      expect(await next.subscribe()).toMatchObject({ status: 200 });
      await loseConnection(sandbox, next);
    }
    // The session of an open connection is not ended.
    await user.text('still');
    await socket.expect('ServerNotification', 1);
    const second = await user.connect();
    await second.subscribe();
    const third = await user.connect();
    expect(await third.subscribe()).toMatchObject({ status: 403, body: { errorCode: 'SUB-505' } });
  });

  test('a restart of a sandbox with a file ends sessions and their subscriptions', async () => {
    const { sandbox, socket } = await subscribed();
    await sandbox.control('POST', '/snapshots', { name: 'open' });
    expect(sandbox.subscriptions()).toHaveLength(1);
    await sandbox.control('POST', '/snapshots/open/load', {});
    expect(sandbox.subscriptions()).toEqual([]);
    await socket.end();
  });
});

describe('spec:SANDBOX-2 faults of WebSockets', () => {
  test.each(['socket-drop', 'socket-idle', 'socket-absolute'])(
    '%s ends the connection instead of the event, which is recovered',
    async (kind) => {
      const { sandbox, user, socket } = await subscribed();
      await sandbox.control('POST', '/faults', { kind, after: 1 });
      await user.text('one');
      await socket.expect('ServerNotification', 1);
      await user.text('two');
      const { code } = await socket.end();
      expect(code).toBe(kind === 'socket-drop' ? 1006 : 1001);
      const again = await user.connect(socket.position);
      await again.expect('ServerNotification', 1);
      expect([...sequences(socket), ...sequences(again)]).toEqual([2, 3]);
    },
  );

  test('socket-split, socket-duplicate and socket-delay', async () => {
    const { sandbox, user, socket } = await subscribed();
    // A fault that is added while an earlier event is still on its way could change that event.
    for (const [kind, received] of [
      ['socket-split', [2]],
      ['socket-duplicate', [2, 3, 3]],
      ['socket-delay', [2, 3, 3, 4]],
    ] as const) {
      await sandbox.control(
        'POST',
        '/faults',
        kind === 'socket-delay' ? { kind, milliseconds: 5 } : { kind },
      );
      await user.text(`${kind} \u{1F4DE}`);
      await eventually(() => expect(sequences(socket)).toEqual(received));
    }
    await user.text('the last');
    await eventually(() => expect(sequences(socket)).toEqual([2, 3, 3, 4, 5]));
  });

  test('socket-no-pong answers neither pings nor heartbeats', async () => {
    const { sandbox, socket } = await subscribed();
    let pongs = 0;
    socket.socket.on('pong', () => {
      pongs += 1;
    });
    await sandbox.control('POST', '/faults', { kind: 'socket-no-pong', times: 2 });
    socket.socket.ping();
    socket.socket.send(JSON.stringify([{ type: 'Heartbeat', messageId: 'no' }]));
    socket.socket.send(JSON.stringify([{ type: 'Heartbeat', messageId: 'yes' }]));
    await socket.answer('yes');
    expect(socket.of('Heartbeat')).toHaveLength(1);
    expect(pongs).toBe(0);
    socket.socket.ping();
    await eventually(() => expect(pongs).toBe(1));
  });

  test('socket-no-recovery fails one recovery', async () => {
    const { sandbox, user, socket } = await subscribed();
    await sandbox.control('POST', '/faults', { kind: 'socket-no-recovery' });
    const failed = await user.connect(socket.position);
    expect(failed.frames[0]?.body).toMatchObject({ recoveryState: 'Failed' });
    const next = await user.connect(failed.position);
    expect(next.frames[0]?.body).toMatchObject({ recoveryState: 'Successful' });
  });

  test('socket-reject rejects the upgrade with a status', async () => {
    const { sandbox, user } = await subscribed();
    await sandbox.control('POST', '/faults', { kind: 'socket-reject', status: 429 });
    const rejected = await user.connect().catch((error: unknown) => error);
    expect(String(rejected)).toContain('429');
    expect((await user.connect()).frames[0]).toMatchObject({ type: 'ConnectionDetails' });
  });
});
