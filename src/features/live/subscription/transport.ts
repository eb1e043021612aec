import type { Subscription, SubscriptionRequest } from '../../../contract/subscription.ts';
import type { Received } from '../notification/notification.ts';
import type { DeliveredOrigin } from '../store/stored-event.ts';
import type { LifecycleSettings, SessionSubscription } from './session-subscription.ts';

/** Accepts notifications before they are acknowledged. */
export interface Intake {
  /** Resolves when the notification is stored. After a rejection, the notification must not be acknowledged. */
  accept(received: Received): Promise<unknown>;
  /** Called when a body is not an acceptable notification. */
  reject(reason: string): void;
}

/** An intake that also provides the keys of encrypted notifications. */
export interface KeyedIntake extends Intake {
  keys(): readonly string[];
}

/**
 * The way in which notifications reach this machine: a webhook receiver, a hosted channel or a WebSocket. Each
 * transport implements this port.
 */
export interface EventTransport {
  readonly origin: DeliveredOrigin;
  /** Local address of the receiver; undefined for a channel and a WebSocket. */
  readonly url: string | undefined;
  /** Opens the transport, before the subscription is created. `onFailure` is called when no more events can arrive. */
  open(intake: KeyedIntake, onFailure: (error: Error) => void): Promise<void>;
  /** Returns the delivery mode for the subscription request. */
  deliveryMode(
    encryption: boolean,
    verificationToken: string | undefined,
  ): SubscriptionRequest['deliveryMode'];
  /**
   * Creates the subscription of a transport that manages subscriptions itself; the subscriptions of all other
   * transports are managed over HTTP.
   */
  subscriptionFor?(settings: LifecycleSettings): SessionSubscription;
  /** Returns the error to show if the subscription could not be created; by default the error itself. */
  explained?(error: unknown): unknown;
  /**
   * Called after the subscription was created. Resolves when all further events arrive. `onLoss` is called when events
   * may have been missed since `from`, in milliseconds since 1970.
   */
  begin(subscription: Subscription, onLoss: (reason: string, from: number) => void): Promise<void>;
  /** Called with each state of the subscription; its address or key may have changed. */
  follow(subscription: Subscription): Promise<void>;
  /**
   * Called after the machine slept or the service was unreachable: a connection may be dead without an error, so a
   * transport that cannot detect this connects again.
   */
  reconnect?(): void;
  /** Stops receiving. Replies in progress may take at most `drainMilliseconds`. */
  close(drainMilliseconds: number): Promise<void>;
}
