import { Subscriptions } from '@ringcentral/subscriptions';
import { expect, it } from 'vitest';
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
