import type { Client } from '../../client/index.ts';
import type { Notification, Subscription } from '../../contract/subscription.ts';
import type { Context } from '../../runtime/context.ts';
import { messageOf } from '../../runtime/errors.ts';
import { HeldSubscription } from './held.ts';
import { Inbox } from './inbox.ts';
import { holdReceiver } from './receiver-lock.ts';
import { keysWith } from './seal.ts';
import { SubscriptionLife } from './subscription-life.ts';
import type { Transport } from './transports.ts';
import { verificationTokenOf } from './verification-token.ts';

/** What a run wants to be told, and how. */
export interface SignalPlan {
  readonly api: Client;
  readonly eventFilters: readonly string[];
  readonly transport: Transport;
  /** Name under which the subscription is written down, so that the next run deletes what a killed one left. */
  readonly receiver: string;
  /** Told each notification; undefined for one that cannot be read. */
  readonly onSignal: (notification: Notification | undefined) => void;
  /** Something may have been missed: the subscription was gone, the machine slept, the channel was not reached. */
  readonly onGap: (reason: string) => void;
}

/** Notifications as mere signals that something changed: nothing of them is kept. */
export interface Signals {
  readonly subscription: Subscription;
  /** Deletes the subscription, also after Ctrl-C. */
  close(): Promise<void>;
}

/** Time for answers under way when the run ends. */
const drain = 1000;

/**
 * Subscribes and keeps the subscription delivering until it is closed; a lost one is made anew. Nothing stays behind when it fails.
 * @throws what the transport or the service throws.
 */
export async function openSignals(ctx: Context, plan: SignalPlan): Promise<Signals> {
  const { api, transport, onSignal, onGap } = plan;
  const profile = ctx.settings.profile.value;
  const inbox = Inbox.open(ctx.paths.state, profile, () => ctx.now());
  const held = holdReceiver(ctx.paths.state, profile, plan.receiver);
  let keys: readonly string[] = [];
  const release = async (): Promise<void> => {
    await transport.close(drain);
    held.release();
    inbox.close();
  };
  const life = new SubscriptionLife({
    ctx,
    api,
    held: new HeldSubscription(inbox, held.name),
    wish: {
      eventFilters: [...plan.eventFilters],
      deliveryMode: transport.deliveryMode(false, verificationTokenOf(ctx)),
    },
    onCopy: async (copy) => {
      keys = keysWith(keys, copy);
      await transport.follow(copy);
    },
    onGap: ({ reason }) => onGap(reason),
  });
  try {
    await transport.open(
      {
        accept: ({ notification }) => Promise.resolve(onSignal(notification)),
        reject: () => undefined,
        keys: () => keys,
      },
      (error) => onGap(messageOf(error)),
    );
    const subscription = await life.begin();
    try {
      await transport.begin(subscription, onGap);
    } catch (error) {
      await life.end();
      throw error;
    }
    life.keep();
    return {
      subscription,
      async close() {
        try {
          await life.end();
        } finally {
          await release();
        }
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}
