import type { Subscription, SubscriptionRequest } from '../../../contract/subscription.ts';
import type { Received } from '../notification/notification.ts';
import type { DeliveredOrigin } from '../store/stored-event.ts';

/** Where notifications go before they are acknowledged. */
export interface Intake {
  /** Resolves when the notification is safe. A rejection means that it must not be acknowledged. */
  accept(received: Received): Promise<unknown>;
  /** Called with the bytes of a body that was rejected. */
  reject(reason: string, raw: Uint8Array): void;
}

/** Intake that knows the keys of encrypted notifications. */
export interface KeyedIntake extends Intake {
  keys(): readonly string[];
}

/** How notifications reach this machine: a webhook receiver or a hosted channel. Whatever else is added implements this port. */
export interface Transport {
  readonly origin: DeliveredOrigin;
  /** Local address, where there is one. */
  readonly url: string | undefined;
  /** Before the subscription is created. `onFailure` is called when nothing can arrive any more. */
  open(intake: KeyedIntake, onFailure: (error: Error) => void): Promise<void>;
  deliveryMode(
    encryption: boolean,
    verificationToken: string | undefined,
  ): SubscriptionRequest['deliveryMode'];
  /** After the subscription was created: resolves when everything that happens from now on arrives. */
  begin(subscription: Subscription, onLoss: (reason: string) => void): Promise<void>;
  /** Called with each copy of the subscription; another address or key is followed. */
  follow(subscription: Subscription): Promise<void>;
  close(drainMilliseconds: number): Promise<void>;
}
