import type { Client } from '../../client/index.ts';
import type { Subscription } from '../../contract/subscription.ts';
import type { Context } from '../../runtime/context.ts';
import { messageOf } from '../../errors/command.ts';
import { HeldSubscription } from './held.ts';
import { openInbox } from './open-inbox.ts';
import type { Received } from './notification.ts';
import { abandonedReceivers, holdReceiver } from './receiver-lock.ts';
import { keysWith } from './seal.ts';
import { SubscriptionLife } from './subscription-life.ts';
import type { Transport } from './transports.ts';
import { verificationTokenOf } from './verification-token.ts';

/** What a live session subscribes to, and who gets what arrives. */
export interface LiveSessionPlan {
  readonly api: Client;
  readonly eventFilters: readonly string[];
  readonly transport: Transport;
  /** Name under which the subscription is recorded, so that the next run deletes what a killed one left. */
  readonly receiver: string;
  /** Called with each notification that arrives. Nothing is stored. */
  readonly sink: (received: Received) => void;
  /** Events may have been missed: the subscription was gone, the machine slept, the channel was not reached. */
  readonly onGap: (reason: string) => void;
}

/** A receiver, its subscription and the renewal of that, until it is closed. */
export interface LiveSession {
  readonly subscription: Subscription;
  /** Changes the event filters of the subscription. @throws the service's error. */
  watch(eventFilters: readonly string[]): Promise<void>;
  /** Deletes the subscription and stops receiving, also after Ctrl-C. */
  close(): Promise<void>;
}

/** Time for replies in progress when the session ends, in milliseconds. */
const drain = 1000;

/**
 * Starts the receiver, subscribes it, records the subscription and renews it until the session is closed; a lost subscription is created
 * anew. Subscriptions that killed runs of this receiver recorded are deleted first. A failure leaves nothing behind.
 * @throws what the transport or the service throws.
 */
export async function openLiveSession(ctx: Context, plan: LiveSessionPlan): Promise<LiveSession> {
  const { api, transport, sink, onGap } = plan;
  const inbox = openInbox(ctx, true);
  let keys: readonly string[] = [];
  let lock: ReturnType<typeof holdReceiver> | undefined;
  const release = async (): Promise<void> => {
    await transport.close(drain);
    lock?.release();
    inbox.close();
  };
  try {
    lock = holdReceiver(inbox, plan.receiver);
    await transport.open(
      {
        accept: (received) => Promise.resolve(sink(received)),
        reject: () => undefined,
        keys: () => keys,
      },
      (error) => onGap(messageOf(error)),
    );
    const life = new SubscriptionLife({
      ctx,
      api,
      held: new HeldSubscription(inbox, lock.name),
      abandoned: () => abandonedReceivers(inbox, plan.receiver),
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
      watch: (eventFilters) => life.changeFilters(eventFilters),
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
