import type { Client } from '../../../client/index.ts';
import type { Subscription, SubscriptionRequest } from '../../../contract/subscription.ts';
import type { Context } from '../../../runtime/context.ts';
import type { AbandonedReceiver } from './receiver-name.ts';
import type { RecordedSubscription } from './recorded-id.ts';
import type { Gap } from './renew.ts';

/** The values that a session passes to its subscription. */
export interface LifecycleSettings {
  readonly ctx: Context;
  readonly api: Client;
  readonly recorded: RecordedSubscription;
  /** Receivers of the same kind whose process was killed; their subscriptions are deleted at the start. */
  readonly abandoned: () => Iterable<AbandonedReceiver>;
  readonly request: SubscriptionRequest;
  /** Called with each state of the subscription that the service reports. */
  readonly onUpdate: (subscription: Subscription) => Promise<void>;
  readonly onGap: (gap: Gap) => void;
  /** Called when no more notifications can arrive. */
  readonly onFailure: (error: Error) => void;
  /** Whether only a failed deletion of the subscription is reported. */
  readonly isHidden?: boolean | undefined;
}

/** The subscription of one session, from its creation to its end. */
export interface SessionSubscription {
  /** Creates the subscription. */
  begin(): Promise<Subscription>;
  /** Changes the event filters, including those of a subscription that is recreated later. */
  changeFilters(eventFilters: readonly string[]): Promise<void>;
  /** Starts to maintain the subscription in the background. */
  startRenewal(): void;
  /** Stops the maintenance and leaves the subscription on the service, if the transport supports this. */
  detach(): Promise<void>;
  /** Stops the maintenance and deletes the subscription. */
  delete(): Promise<void>;
}
