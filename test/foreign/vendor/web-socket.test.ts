import { Subscriptions } from 'ringcentral-subscriptions-5';
import { expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/index.ts';
import { eventually } from '../../support/eventually.ts';
import { clientOf, realSandbox } from './signed-in.ts';

const me = '/restapi/v1.0/account/~/extension/~';

interface Event {
  readonly uuid: string;
  readonly subscriptionId: string;
  readonly event: string;
}

/** The vendor's library for events over a WebSocket, with a subscription to the messages of extension 102. */
async function listening(sandbox: Sandbox) {
  const sdk = clientOf(sandbox);
  const user = sandbox.ready.users.find(({ extension }) => extension === '102');
  const jwt = sandbox.assertion({
    sub: user?.extensionId,
    aud: `${sandbox.url}/restapi/oauth/token`,
    exp: Math.floor(sandbox.clock.now() / 1000) + 600,
  });
  await sdk.login({ jwt });
  const subscription = new Subscriptions({ sdk }).createSubscription();
  const events: Event[] = [];
  subscription.on(subscription.events.notification, (event: Event) => events.push(event));
  const registered = await subscription.setEventFilters([`${me}/message-store`]).register();
  const socket = registered.wse as Awaited<ReturnType<Subscriptions['newWsExtension']>>;
  return {
    events,
    socket,
    /** The id of the subscription that the library uses now. */
    id: () => registered.subscriptionInfo?.id ?? '',
    /** Its timers would keep the process of the test alive. */
    async [Symbol.asyncDispose]() {
      await sandbox.control('DELETE', '/faults');
      await socket.revoke();
    },
  };
}

/** Lets a text arrive for extension 102. */
const arrive = (sandbox: Sandbox) => sandbox.control('POST', '/triggers/sms', { to: '102' });

// Each test waits about two seconds until the library connects again.
it.concurrent('registers, receives an event, loses its WebSocket and recovers the missed event', async () => {
  await using sandbox = await realSandbox({ dialect: 'current' });
  await using listener = await listening(sandbox);
  const { events, socket } = listener;
  const id = listener.id();
  expect(sandbox.subscriptions()).toMatchObject([{ id, transportType: 'WebSocket' }]);
  await arrive(sandbox);
  await eventually(() => expect(events).toHaveLength(1));
  await sandbox.control('POST', '/faults', { kind: 'socket-drop' });
  const first = socket.ws;
  await arrive(sandbox);
  await arrive(sandbox);
  await eventually(() => expect(events).toHaveLength(3));
  expect(socket.ws).not.toBe(first);
  expect(socket.connectionDetails.recoveryState).toBe('Successful');
  expect(new Set(events.map(({ uuid }) => uuid)).size).toBe(3);
  expect(events.every(({ subscriptionId }) => subscriptionId === id)).toBe(true);
  expect(sandbox.subscriptions()).toHaveLength(1);
});

it.concurrent('reconnects after the daily close, and receives what came meanwhile', async () => {
  // Otherwise the connection ends by its idle timeout, because the library sends heartbeats by the clock of the machine.
  // It also uses its token for most of the lifetime, by the same clock, so the test shortens the lifetime.
  const settings = { webSocketIdleSeconds: 1_000_000, webSocketTokenSeconds: 2 };
  await using sandbox = await realSandbox({ dialect: 'current', settings });
  await using listener = await listening(sandbox);
  const { events, socket } = listener;
  const first = socket.ws;
  const closed = new Promise<number>((resolve) => {
    first.addEventListener('close', ({ code }) => resolve(code));
  });
  await sandbox.clock.advance(86_400_000);
  expect(await closed).toBe(1001);
  await arrive(sandbox);
  await eventually(() => expect(events).toHaveLength(1));
  expect(socket.ws).not.toBe(first);
  await arrive(sandbox);
  await eventually(() => expect(events).toHaveLength(2));
});

it.concurrent('subscribes again after a failed recovery', async () => {
  await using sandbox = await realSandbox({ dialect: 'current' });
  await using listener = await listening(sandbox);
  const { events, socket } = listener;
  const id = listener.id();
  await sandbox.control('POST', '/faults', { kind: 'socket-no-recovery' });
  await sandbox.control('POST', '/faults', { kind: 'socket-idle' });
  await arrive(sandbox);
  await eventually(() => expect(socket.connectionDetails.recoveryState).toBe('Failed'));
  // Before the library knows its new subscription, it drops events.
  await eventually(() => expect(listener.id()).not.toBe(id));
  await arrive(sandbox);
  await eventually(() => expect(events).toHaveLength(1));
  expect(events[0]?.subscriptionId).not.toBe(id);
});

it.concurrent('works with a token that can be used once, after its lifetime', async () => {
  const settings = { webSocketTokenReuse: false, webSocketTokenSeconds: 2 };
  await using sandbox = await realSandbox({ dialect: 'current', settings });
  await using listener = await listening(sandbox);
  const { events } = listener;
  await sandbox.control('POST', '/faults', { kind: 'socket-drop' });
  await arrive(sandbox);
  await eventually(() => expect(events).toHaveLength(1));
});
