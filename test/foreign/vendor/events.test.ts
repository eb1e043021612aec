import { Subscriptions } from '@ringcentral/subscriptions';
import { expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/index.ts';
import { eventually } from '../../support/eventually.ts';
import { realSandbox, signedIn } from './signed-in.ts';

const me = '/restapi/v1.0/account/~/extension/~';
const Channel = new Subscriptions({ sdk: undefined as never }).getPubNub();

/** The library's channel client, connected to the sandbox instead of the channel's public host. */
function channelAt(origin: string): typeof Channel {
  return class extends Channel {
    constructor(options: ConstructorParameters<typeof Channel>[0]) {
      super({ ...(options as object), origin: new URL(origin).host, ssl: false });
    }
  };
}

it('receives events by the hosted channel, encrypted and in plain text', async () => {
  await using sandbox = await realSandbox();
  const sdk = await signedIn(sandbox);
  for (const filter of [`${me}/message-store`, `${me}/presence`]) {
    const subscriptions = new Subscriptions({ sdk, PubNub: channelAt(sandbox.url) });
    const subscription = subscriptions.createSubscription();
    const events: { readonly event?: string }[] = [];
    subscription.on(subscription.events.notification, (event: { readonly event?: string }) =>
      events.push(event),
    );
    await subscription.setEventFilters([filter]).register();
    const from = { phoneNumber: '+16505550110' };
    let sent = 0;
    // A subscriber receives only events that are published later, so the test publishes until one arrives.
    await eventually(async () => {
      sent += 1;
      if (filter.endsWith('presence')) await sdk.put(`${me}/presence`, { message: `event ${sent}` });
      else
        await sdk.post(`${me}/sms`, { from, to: [{ phoneNumber: '+16505550112' }], text: `event ${sent}` });
      expect(events.length).toBeGreaterThan(0);
    });
    expect(events[0]?.event).toContain(filter.split('/').at(-1));
    await subscription.renew();
    await subscription.remove();
    expect(sandbox.subscriptions()).toEqual([]);
  }
});

it('spec:CHANNEL-5 receives events again after a network error of the hosted channel', async () => {
  await using sandbox = await realSandbox();
  const sdk = await signedIn(sandbox);
  const subscriptions = new Subscriptions({ sdk, PubNub: channelAt(sandbox.url) });
  const subscription = subscriptions.createSubscription();
  const received: string[] = [];
  subscription.on(subscription.events.notification, ({ uuid = '' }: { readonly uuid?: string }) =>
    received.push(uuid),
  );
  await subscription.setEventFilters([`${me}/presence`]).register();
  await eventually(() => expect(operations(sandbox)).toContain('readChannel'));
  await sandbox.control('POST', '/faults', { kind: 'reset-before', operation: 'readChannel', times: 1 });
  // The waiting poll returns the first event. The next poll meets the fault, and the client asks for the time.
  for (const message of ['before', 'after']) await sdk.put(`${me}/presence`, { message });
  await eventually(() => expect(received).toHaveLength(2));
  expect(operations(sandbox)).toContain('readChannelTime');
  await subscription.remove();
  await eventually(() => expect(operations(sandbox)).toContain('leaveChannel'));
  expect(sandbox.requestLog().filter(({ operation }) => operation === undefined)).toEqual([]);
});

function operations(sandbox: Sandbox): readonly (string | undefined)[] {
  return sandbox.requestLog().map(({ operation }) => operation);
}
