import { describe, expect, it, onTestFinished } from 'vitest';
import { RetentionPolicy, StorageType } from '@nats-io/jetstream';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { conditionLimit } from '../../support/limits.ts';
import { startLoadBalancer } from '../../support/load-balancer.ts';
import { natsMissing, testNats, type NatsServer } from '../../support/nats.ts';
import { suitable, testClient } from '../../support/nats-stream.ts';
import { postgresMissing } from '../../support/postgres.ts';
import { fleetOffice, type FleetOffice } from '../fleet/fleet-office.ts';
import { openOffice } from '../office.ts';
import { live } from './listening.ts';

const listen = 'webhook listen --no-subscribe --path /hook';

/** Starts a receiver without a store and a subscription, and returns how to send events to it. */
async function loneReceiver(server: NatsServer, words = '') {
  const office = await openOffice();
  const receiver = await live(office, `${listen} --sink ${server.url}/EVENTS ${words}`);
  const send = async (uuid: string, extensionId = '7') => {
    const event = `/restapi/v1.0/account/~/extension/${extensionId}/presence`;
    const body = JSON.stringify({ uuid, event, timestamp: '2026-01-05T09:00:00Z', body: { extensionId } });
    return (await fetch(receiver.ready.address, { method: 'POST', body })).status;
  };
  return { ...receiver, send };
}

describe.skipIf(natsMissing())('webhook listen --sink nats://', () => {
  it('acknowledges an event when the stream has it, once, in and after the window of the server', async () => {
    const server = await testNats();
    const client = await testClient(server);
    await client.manager.streams.add({ ...suitable('EVENTS'), duplicate_window: 100_000_000 });
    await client.manager.streams.add({
      name: 'CLOCK',
      subjects: ['clock'],
      duplicate_window: 100_000_000,
    });
    const { send, shown } = await loneReceiver(server);
    expect(await send('u1')).toBe(200);
    const once = [['ucctl.EVENTS.7.u1', 'u1', 'listen', 'webhook']];
    const stored = async () =>
      (await client.messages('EVENTS')).map(({ subject, header }) => [
        subject,
        header('Nats-Msg-Id'),
        header('ucctl-receiver'),
        header('ucctl-origin'),
      ]);
    expect(await stored()).toEqual(once);
    expect(await send('u1')).toBe(200);
    // When the server accepts an ID again, the window is over.
    await client.publish('clock', 'u1');
    await eventually(async () => expect(await client.publish('clock', 'u1')).toBe(false));
    expect(await send('u1')).toBe(200);
    expect(await stored()).toEqual(once);
    expect(await send('not a subject. * >')).toBe(200);
    expect((await stored())[1]?.[0]).toMatch(/^ucctl\.EVENTS\.7\.sha256:[0-9a-f]{64}$/);
    await eventually(() => expect(shown().map(({ uuid }) => uuid)).toEqual(['u1', 'not a subject. * >']));
  });

  it('does not store a notification whose messages were all recovered before it arrived', async () => {
    const server = await testNats();
    const { ready, shown } = await loneReceiver(server);
    const client = await testClient(server);
    const send = async (uuid: string, ...newMessageIds: readonly string[]) => {
      const event = '/restapi/v1.0/account/~/extension/7/message-store';
      const body = {
        extensionId: '7',
        changes: [{ type: 'SMS', newCount: newMessageIds.length, newMessageIds }],
      };
      const notification = JSON.stringify({ uuid, event, timestamp: '2026-01-05T09:00:00Z', body });
      expect((await fetch(ready.address, { method: 'POST', body: notification })).status).toBe(200);
    };
    await client.publish('ucctl.EVENTS.7.recovered:7:5', 'recovered:7:5');
    await send('late', '5');
    await send('other', '6');
    await send('both', '5', '6');
    const ids = (await client.messages('EVENTS')).map(({ header }) => header('Nats-Msg-Id'));
    expect(ids).toEqual(['recovered:7:5', 'other', 'both']);
    await eventually(() => expect(shown().map(({ uuid }) => uuid)).toContain('both'));
  });

  it('creates the stream, and answers 503 while the server is down', async () => {
    const server = await testNats();
    const { send } = await loneReceiver(server, '--retain 3d');
    const client = await testClient(server);
    const { config } = await client.manager.streams.info('EVENTS');
    expect(config).toMatchObject({ ...suitable('EVENTS'), max_age: 3 * 86_400e9, num_replicas: 1 });
    expect(await send('u1')).toBe(200);
    await server.kill();
    await eventually(async () => expect(await send('u2')).toBe(503));
    await server.start();
    await eventually(async () => expect(await send('u2')).toBe(200));
    // The connection of the test may still be reconnecting, and a request can get lost then.
    await eventually(async () => {
      const messages = await client.messages('EVENTS');
      expect(messages.map(({ header }) => header('Nats-Msg-Id'))).toEqual(['u1', 'u2']);
    });
  });

  it('rejects a stream that would lose or duplicate events, and does not change it', async () => {
    const server = await testNats();
    const { manager } = await testClient(server);
    const office = await openOffice();
    const others = {
      DOUBLES: [{ max_msgs_per_subject: -1, discard_new_per_subject: false }, 'max_msgs_per_subject is -1'],
      MEMORY: [{ storage: StorageType.Memory }, 'storage is "memory"'],
      SHORT: [{ max_age: 3600e9, duplicate_window: 60e9 }, 'max_age is 3600 s'],
      QUEUE: [{ retention: RetentionPolicy.Workqueue }, 'retention is "workqueue"'],
    } as const;
    for (const [name, [change, message]] of Object.entries(others)) {
      await manager.streams.add({ ...suitable(name), ...change });
      const before = await manager.streams.info(name);
      const { exit, stderr } = await office.run(`${listen} --sink ${server.url}/${name}`);
      expect([exit, stderr]).toEqual([11, expect.stringContaining(message)]);
      expect((await manager.streams.info(name)).config).toEqual(before.config);
    }
  });

  it('signs in with the address or the variables, and does not print the password', async () => {
    const server = await testNats('authorization { user: alice, password: "correct horse" }');
    const office = await openOffice();
    const address = `nats://127.0.0.1:${server.port}/EVENTS`;
    const wrong = await office.run(`${listen} --sink ${address}`, {
      env: { NATS_USER: 'alice', NATS_PASSWORD: 'wrong battery' },
    });
    expect([wrong.exit, wrong.stderr]).toEqual([12, expect.stringContaining('cannot use NATS at')]);
    expect(wrong.stderr).not.toContain('battery');
    const env = { NATS_USER: 'alice', NATS_PASSWORD: 'correct horse' };
    const first = await live(office, `${listen} --sink ${address}`, { env });
    first.interrupt();
    expect((await first.result).stderr).not.toContain('other users');
    const secret = `nats://alice:correct%20horse@127.0.0.1:${server.port}/EVENTS`;
    const second = await live(office, `${listen} --sink ${secret}`);
    second.interrupt();
    const { stdout, stderr } = await second.result;
    expect(stderr).toContain('other users of this machine can read the password');
    expect(`${stdout}${stderr}`).not.toMatch(/correct/);
  });

  it('requires TLS for tls://, and names a server that does not answer', async () => {
    const server = await testNats();
    const office = await openOffice();
    const address = `127.0.0.1:${server.port}/EVENTS`;
    expect((await office.run(`${listen} --sink tls://${address}`)).exit).toBe(12);
    await server.kill();
    const { exit, stderr } = await office.run(`${listen} --sink nats://${address}`);
    expect([exit, stderr]).toEqual([
      12,
      expect.stringContaining(`cannot use NATS at 127.0.0.1:${server.port}`),
    ]);
  });

  it.each([
    ['--sink nats://127.0.0.1', 'must end with the name of a stream'],
    ['--sink nats://127.0.0.1/A.B', 'must end with the name of a stream'],
    ['--sink nats://127.0.0.1/A?replicas=9', 'replicas'],
    ['--sink nats://127.0.0.1/A?x=1', 'unknown parameter "x"'],
    ['--sink nats://u:%zz@127.0.0.1/A', 'encode % as %25'],
    ['--sink nats://127.0.0.1/A --receiver x', 'can be used only with a PostgreSQL store'],
    ['--sink nats://127.0.0.1/A --retain 1d', 'at least 2d'],
  ])('%s is a usage error', async (words, message) => {
    const office = await openOffice();
    const { exit, stderr } = await office.run(`${listen} ${words}`);
    expect([exit, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

/** A receiver that shares the store of the office. */
async function sharedReceiver(
  office: FleetOffice,
  server: NatsServer,
  balancer: { url: string; ports: Set<number> },
) {
  const port = await freePort();
  balancer.ports.add(port);
  const words = `--extension 101 --public-url ${balancer.url} --port ${port}`;
  const receiver = await live(office, `webhook listen --sink ${server.url}/EVENTS ${words}`);
  const stop = async () => {
    balancer.ports.delete(port);
    receiver.interrupt();
    return receiver.result;
  };
  return { ...receiver, stop };
}

describe.skipIf(natsMissing() ?? postgresMissing())('receivers that share a store and a stream', () => {
  it('have one subscription, make the mailbox due, and recover missed messages once', async () => {
    const server = await testNats();
    const client = await testClient(server);
    const office = await fleetOffice({
      listen: true,
      clock: 'real',
      settings: { webhookTimeoutMilliseconds: conditionLimit },
    });
    const balancer = await startLoadBalancer();
    onTestFinished(() => balancer.close());
    const text = () =>
      office.sandbox.control('POST', '/triggers/sms', { to: '101', from: '+15555550100', text: 'hello' });
    await office.run('fleet enroll --extension 101 --every 1h');
    await office.run('fleet worker --once');
    const first = await sharedReceiver(office, server, balancer);
    const second = await sharedReceiver(office, server, balancer);
    expect(second.ready.subscriptionId).toBe(first.ready.subscriptionId);
    // Messages after this point can be recovered.
    await eventually(async () =>
      expect(await office.db.query('select 1 from receiver_sync_point')).toHaveLength(1),
    );
    const origins = async () => (await client.messages('EVENTS')).map(({ header }) => header('ucctl-origin'));
    await text();
    await eventually(async () => expect(await origins()).toEqual(['webhook']));
    const due = 'select 1 from fleet_task where due_at <= store_now() and change_seq > 0';
    await eventually(async () => expect(await office.db.query(due)).toHaveLength(1));
    expect(await office.db.query('select 1 from event')).toEqual([]);
    await first.stop();
    await second.stop();
    await text();
    const third = await sharedReceiver(office, server, balancer);
    expect(third.ready.subscriptionId).toBe(first.ready.subscriptionId);
    await eventually(async () => expect(await origins()).toContain('recovered'));
    const before = await client.messages('EVENTS');
    const recovered = before.find(({ header }) => header('ucctl-origin') === 'recovered');
    // The service retries the notification of the message.
    const [known] = await office.db.query<{ token: string }>('select token from receiver');
    const retry = await fetch(third.ready.address, {
      method: 'POST',
      headers: { 'verification-token': known?.token ?? '' },
      body: JSON.stringify({ ...(JSON.parse(recovered?.text ?? '{}') as object), uuid: 'retry' }),
    });
    expect(retry.status).toBe(200);
    const after = await client.messages('EVENTS');
    expect(after.map(({ header }) => header('Nats-Msg-Id'))).not.toContain('retry');
    await third.stop();
    expect((await origins()).filter((origin) => origin === 'recovered')).toHaveLength(1);
  });

  it('spec:SOCKET-7 have one WebSocket, continue its session, and recover missed messages once', async () => {
    const server = await testNats();
    const client = await testClient(server);
    const office = await fleetOffice({ listen: true, clock: 'real', dialect: 'current' });
    await office.run('fleet enroll --extension 101 --every 1h');
    await office.run('fleet worker --once');
    const listen = `webhook listen --transport websocket --sink ${server.url}/EVENTS --extension 101`;
    const options = { env: { UCCTL_DIALECT: 'current' } };
    const first = await live(office, listen, options);
    const isStored = 'select 1 from receiver where socket is not null and not recovers';
    const settles = () => eventually(async () => expect(await office.db.query(isStored)).toHaveLength(1));
    const origins = async () => (await client.messages('EVENTS')).map(({ header }) => header('ucctl-origin'));
    const text = async (...expected: string[]) => {
      await office.sandbox.control('POST', '/triggers/sms', { to: '101', from: '+15555550100' });
      await eventually(async () => expect(await origins()).toEqual(expected));
    };
    await settles();
    await text('websocket');
    const due = 'select 1 from fleet_task where due_at <= store_now() and change_seq > 0';
    await eventually(async () => expect(await office.db.query(due)).toHaveLength(1));
    expect(await office.db.query('select 1 from event')).toEqual([]);
    const second = await live(office, listen, options);
    expect(second.ready.subscriptionId).toBe(first.ready.subscriptionId);
    first.interrupt();
    expect((await first.result).exit).toBe(0);
    await text('websocket', 'websocket');
    // The events after the takeover come from the same session.
    await settles();
    second.interrupt();
    await second.result;
    const unknown = `update receiver set socket = jsonb_set(socket, '{position,token}', '"unknown.1"')`;
    await office.db.script(unknown);
    await office.sandbox.control('POST', '/triggers/sms', { to: '101', from: '+15555550100' });
    const third = await live(office, listen, options);
    expect(third.ready.subscriptionId).not.toBe(first.ready.subscriptionId);
    await eventually(async () => expect(await origins()).toEqual(['websocket', 'websocket', 'recovered']));
    await settles();
    await text('websocket', 'websocket', 'recovered', 'websocket');
    const announced = (await client.messages('EVENTS')).map(
      ({ text: raw }) => /"newMessageIds":\["?(\d+)/.exec(raw)?.[1],
    );
    expect(new Set(announced).size).toBe(4);
  });
});
