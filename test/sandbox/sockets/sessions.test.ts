import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { eventually } from '../../support/eventually.ts';
import { rejection, send, userClient } from '../request.ts';
import { messages, openSocket, socketUser, startCurrent, subscriptionPath } from './client.ts';

describe('spec:CURRENT-12, SOCKET-1 wstoken', () => {
  test('dialect current issues a token, dialect spec has no such path', async () => {
    const current = await startCurrent();
    const { body } = await send(current, 'POST', '/restapi/oauth/wstoken', {
      token: (await userClient(current, '102')).token,
    });
    expect(body).toMatchObject({ expires_in: 30, ws_access_token: expect.any(String) as string });
    expect(body.uri).toBe(`${current.url.replace('http', 'ws')}/restapi/v1.0/subscription`);
    await using spec = await startSandbox({ listen: false });
    const user = await userClient(spec, '102');
    expect(rejection(await send(spec, 'POST', '/restapi/oauth/wstoken', { token: user.token }))).toBe(
      '404 AGW-404',
    );
  });

  test('the application needs the permission WebSocket, and the group is Auth', async () => {
    const sandbox = await startCurrent();
    const reader = await userClient(sandbox, '102', 'sandbox-reader');
    const rejected = await send(sandbox, 'POST', '/restapi/oauth/wstoken', { token: reader.token });
    expect(rejection(rejected)).toBe('403 CMN-401');
    await sandbox.control('POST', '/rate-limits', { mode: 'realistic' });
    const user = await userClient(sandbox, '102');
    const { headers } = await send(sandbox, 'POST', '/restapi/oauth/wstoken', { token: user.token });
    expect(headers.get('x-rate-limit-group')).toBe('auth');
  });

  test('a token expires after 30 s of the sandbox clock, and works once if the setting demands it', async () => {
    const sandbox = await startCurrent();
    const user = await socketUser(sandbox);
    const { uri, token } = await user.socketToken();
    const address = `${uri}?access_token=${token}`;
    const connected = async () => (await openSocket(address)).frames[0];
    expect(await connected()).toMatchObject({ type: 'ConnectionDetails', status: 200 });
    expect(await connected()).toMatchObject({ type: 'ConnectionDetails' });
    await sandbox.clock.advance(30_000);
    const invalid = { type: 'Error', status: 401, body: { errorCode: 'WSG-904' } };
    expect(await connected()).toMatchObject(invalid);
    await sandbox.control('PATCH', '/settings', { webSocketTokenReuse: false });
    const once = await user.socketToken();
    const strict = `${uri}?access_token=${once.token}`;
    expect((await openSocket(strict)).frames[0]).toMatchObject({ type: 'ConnectionDetails' });
    const again = await openSocket(strict);
    expect(again.frames[0]).toMatchObject(invalid);
    expect(await again.end()).toEqual({ code: 1008, reason: 'WSG-904' });
    expect((await openSocket(uri)).frames[0]).toMatchObject(invalid);
  });
});

describe('sessions', () => {
  test('spec:SOCKET-2, SOCKET-3 the first frame is ConnectionDetails', async () => {
    const sandbox = await startCurrent();
    const socket = await (await socketUser(sandbox)).connect();
    expect(socket.frames).toEqual([
      {
        type: 'ConnectionDetails',
        messageId: expect.any(String) as string,
        status: 200,
        wsc: { token: expect.any(String) as string, sequence: 1 },
        body: {
          creationTime: '2026-01-05T09:00:00.000Z',
          maxConnectionsPerSession: 50,
          recoveryBufferSize: 100,
          recoveryTimeout: 180,
          idleTimeout: 1800,
          absoluteTimeout: 86_400,
          maxActiveRequests: 10,
        },
      },
    ]);
  });

  test('spec:SOCKET-4, SOCKET-6 a subscription through the WebSocket, and its events in the format of a webhook', async () => {
    const sandbox = await startCurrent();
    const user = await socketUser(sandbox);
    const socket = await user.connect();
    const created = await socket.subscribe();
    expect(created).toMatchObject({ type: 'ClientRequest', status: 200 });
    expect(created.body['deliveryMode']).toEqual({ transportType: 'WebSocket' });
    await user.text('hello');
    const [event] = await socket.expect('ServerNotification', 1);
    expect(event).toMatchObject({
      status: 200,
      wsc: { sequence: 2 },
      body: {
        subscriptionId: created.body['id'],
        event: expect.stringContaining('/message-store') as string,
        body: { changes: [{ type: 'SMS' }] },
      },
    });
    const path = `${subscriptionPath}/${String(created.body['id'])}`;
    expect(await socket.request('GET', path)).toMatchObject({
      status: 200,
      body: { id: created.body['id'] },
    });
    const changed = await socket.request('PUT', `${path}/`, { eventFilters: [`${messages}?type=Fax`] });
    expect(changed.body['eventFilters']).toEqual([expect.stringContaining('type=Fax')]);
    expect(await socket.request('POST', `${path}/renew`)).toMatchObject({ status: 200 });
    const deleted = await socket.request('DELETE', path);
    expect([deleted.status, deleted.body]).toEqual([204, undefined]);
    expect(await socket.request('GET', path)).toMatchObject({ status: 404, body: { errorCode: 'CMN-102' } });
    expect(sandbox.subscriptions()).toEqual([]);
  });

  test('spec:SOCKET-5 HTTP reads the subscription of a WebSocket, but does not create or change it', async () => {
    const sandbox = await startCurrent();
    const user = await socketUser(sandbox);
    const socket = await user.connect();
    const { body } = await socket.subscribe();
    const path = `/subscription/${String(body['id'])}`;
    const deliveryMode = { transportType: 'WebSocket' };
    expect((await user.get('/subscription')).body.records).toMatchObject([{ id: body['id'], deliveryMode }]);
    expect((await user.get(path)).status).toBe(200);
    const created = await user.post('/subscription', { eventFilters: [messages], deliveryMode });
    expect(rejection(created)).toBe('400 CMN-101');
    expect(rejection(await user.put(path, { eventFilters: [messages] }))).toBe('400 CMN-101');
    expect(rejection(await user.post(`${path}/renew`))).toBe('400 CMN-101');
    expect(rejection(await user.delete(path))).toBe('400 CMN-101');
    expect(sandbox.subscriptions()).toHaveLength(1);
  });

  test.each(['ChannelService', 'PubNub'])(
    'spec:CURRENT-12 there is no hosted channel with the name %s',
    async (transportType) => {
      const sandbox = await startCurrent();
      const user = await socketUser(sandbox);
      const request = { eventFilters: [messages], deliveryMode: { transportType } };
      expect(rejection(await user.post('/subscription', request))).toBe('400 CMN-101');
    },
  );

  test('spec:SOCKET-5 a second subscription replaces the first, unless it is invalid', async () => {
    const sandbox = await startCurrent();
    const user = await socketUser(sandbox);
    const socket = await user.connect();
    const first = await socket.subscribe();
    expect(await socket.subscribe(['/restapi/v1.0/nothing'])).toMatchObject({
      status: 400,
      body: { errorCode: 'SUB-508' },
    });
    expect(sandbox.subscriptions().map(({ id }) => id)).toEqual([first.body['id']]);
    const second = await socket.subscribe();
    expect(sandbox.subscriptions().map(({ id }) => id)).toEqual([second.body['id']]);
    // Another connection cannot see it.
    const other = await user.connect();
    const path = `${subscriptionPath}/${String(second.body['id'])}`;
    expect(await other.request('DELETE', path)).toMatchObject({ status: 404 });
    // It needs no renewal, and ends with the session.
    await sandbox.clock.advance(1000);
    socket.socket.close(1000);
    await eventually(() => expect(sandbox.subscriptions()).toEqual([]));
  });

  test('spec:ERROR-3 requests: other paths and transports, rate limits and faults', async () => {
    const sandbox = await startCurrent();
    const user = await socketUser(sandbox);
    const socket = await user.connect();
    const notFound = { type: 'ClientRequest', status: 404, body: { errorCode: 'AGW-404', errors: [] } };
    expect(await socket.request('GET', '/restapi/v1.0/account/~')).toMatchObject(notFound);
    expect(await socket.request('DELETE', subscriptionPath)).toMatchObject(notFound);
    const hook = { transportType: 'WebHook', address: 'https://example.com' };
    const asked = await socket.request('POST', subscriptionPath, {
      eventFilters: [messages],
      deliveryMode: hook,
    });
    expect(asked).toMatchObject({ status: 400, body: { errorCode: 'CMN-101' } });
    expect(await socket.request('POST', subscriptionPath)).toMatchObject({ status: 400 });
    await sandbox.control('POST', '/faults', { kind: 'status', operation: 'createSubscription' });
    expect(await socket.subscribe()).toMatchObject({ status: 503, body: { errorCode: 'CMN-201' } });
    await sandbox.control('POST', '/rate-limits', { mode: 'realistic' });
    const statuses: unknown[] = [];
    for (let count = 0; count < 41; count += 1) statuses.push((await socket.subscribe()).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(40);
    expect(statuses.at(-1)).toBe(429);
    expect(sandbox.requestLog()).toContainEqual(
      expect.objectContaining({
        method: 'POST',
        path: subscriptionPath,
        operation: 'createSubscription',
        status: 200,
      }),
    );
    expect(
      sandbox
        .requestLog()
        .flatMap(({ errorCode }) => errorCode ?? [])
        .slice(0, 3),
    ).toEqual(['AGW-404', 'AGW-404', 'CMN-101']);
  });

  test('spec:SOCKET-8 the idle timeout and the absolute timeout, by the sandbox clock', async () => {
    const sandbox = await startCurrent();
    const user = await socketUser(sandbox);
    const idle = await user.connect();
    await sandbox.clock.advance(1_799_000);
    expect(idle.closed).toBeUndefined();
    await sandbox.clock.advance(1000);
    expect(await idle.end()).toEqual({ code: 1001, reason: 'WSG-902' });
    expect(idle.frames.at(-1)).toMatchObject({ type: 'Error', status: 408, body: { errorCode: 'WSG-902' } });
    const busy = await user.connect();
    for (let hours = 0; hours < 48; hours += 1) {
      await sandbox.clock.advance(1_799_000);
      const messageId = `beat-${hours}`;
      busy.socket.send(JSON.stringify([{ type: 'Heartbeat', messageId }]));
      expect(await busy.answer(messageId)).toMatchObject({ type: 'Heartbeat' });
    }
    await sandbox.clock.advance(60_000);
    expect(await busy.end()).toEqual({ code: 1001, reason: 'WSG-903' });
  });

  test('spec:SOCKET-6 pings and heartbeats of the sandbox; without a pong, the connection is lost', async () => {
    const settings = {
      webSocketPingMilliseconds: 5,
      webSocketPongMilliseconds: 60_000,
      webSocketHeartbeatMilliseconds: 1,
    };
    const sandbox = await startCurrent({ settings });
    const user = await socketUser(sandbox);
    const socket = await user.connect();
    const [beat] = await socket.expect('Heartbeat', 3);
    expect(new Set(socket.of('Heartbeat').map(({ messageId }) => messageId)).size).toBeGreaterThanOrEqual(3);
    // A returned heartbeat of the sandbox is not returned again.
    socket.socket.send(JSON.stringify([{ type: 'Heartbeat', messageId: 'mine' }]));
    await socket.answer('mine');
    expect(socket.of('Heartbeat').filter(({ messageId }) => messageId === beat?.messageId)).toHaveLength(1);
    await sandbox.control('PATCH', '/settings', { webSocketPongMilliseconds: 10 });
    const deaf = await user.connect(undefined, { autoPong: false });
    expect(await deaf.end()).toMatchObject({ code: 1006 });
  });

  test('limits: connections of a sign-in, active requests', async () => {
    const sandbox = await startCurrent({ settings: { webSocketConnections: 2, webSocketActiveRequests: 1 } });
    const user = await socketUser(sandbox);
    const first = await user.connect();
    await user.connect();
    const third = await user.connect();
    expect(third.frames[0]).toMatchObject({ type: 'Error', status: 429, body: { errorCode: 'WSG-905' } });
    // Another sign-in has its own connections.
    const other = await (await socketUser(sandbox)).connect();
    expect(other.frames[0]).toMatchObject({ type: 'ConnectionDetails' });
    await sandbox.control('POST', '/faults', { kind: 'latency', milliseconds: 50 });
    const [slow, rejected] = await Promise.all([first.subscribe(), first.subscribe()]);
    expect(slow).toMatchObject({ status: 200 });
    expect(rejected).toMatchObject({ type: 'Error', status: 429, body: { errorCode: 'WSG-906' } });
  });

  test.each(['disable', 'delete'])(
    '%s of a user ends the connections and tokens of this user',
    async (change) => {
      const sandbox = await startCurrent();
      const [user, other] = [await socketUser(sandbox), await socketUser(sandbox, '103')];
      const socket = await user.connect();
      await socket.subscribe();
      const colleague = await other.connect();
      const { uri, token } = await user.socketToken();
      await (change === 'disable'
        ? sandbox.control('POST', '/users/102/disable')
        : sandbox.control('DELETE', '/users/102'));
      await socket.end();
      const later = await openSocket(`${uri}?access_token=${token}&wsc=${socket.position}`);
      expect(later.frames[0]).toMatchObject({ type: 'Error', status: 401, body: { errorCode: 'OAU-149' } });
      await later.end();
      expect((await colleague.subscribe()).status).toBe(200);
    },
  );

  test('a reset and a stop of the sandbox end the connections', async () => {
    const sandbox = await startSandbox({ dialect: 'current' });
    const user = await socketUser(sandbox);
    const first = await user.connect();
    await first.subscribe();
    await sandbox.control('POST', '/reset', {});
    await first.end();
    expect(sandbox.subscriptions()).toEqual([]);
    const again = await (await socketUser(sandbox)).connect();
    await sandbox.close();
    await again.end();
  });
});
