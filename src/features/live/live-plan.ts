import type { Client } from '../../client/index.ts';
import type { Subscription, SubscriptionRequest } from '../../contract/subscription.ts';
import type { Target } from './deliver/target.ts';
import type { Transport } from './subscription/transport.ts';
import type { Where } from './notification/where.ts';

/** One run of a live command. */
export interface LivePlan {
  /** Called when the service is needed; a receiver without a subscription may never need it. @throws where nobody is signed in. */
  readonly api: () => Promise<Client>;
  /** What to subscribe with, but for the address; undefined to receive for a subscription that something else creates. */
  readonly request: Pick<SubscriptionRequest, 'eventFilters'> | undefined;
  /** Whether the service is asked to encrypt notifications. */
  readonly encryption: boolean;
  readonly transport: Transport;
  /** Name of the receiver; a second one that runs beside the first gets a number. */
  readonly receiver: string;
  /** Leaves the subscription behind at the end. */
  readonly keep: boolean;
  /** Whether what was missed since the run before is looked for. */
  readonly recover: boolean;
  readonly targets: readonly Target[];
  readonly where: Where | undefined;
  readonly count: number | undefined;
  /** Names of extensions, as far as they are worth a request. */
  readonly names: () => Promise<ReadonlyMap<string, string>>;
  /** Serves a page that shows what arrives. */
  readonly inspect: boolean;
  /** Is there while events arrive, and says where. */
  readonly readyFile: string | undefined;
  readonly onSubscribed?: (subscription: Subscription) => Promise<void>;
}

export interface LiveReady {
  /** Local address of the receiver; undefined for a channel. */
  readonly url: string | undefined;
  /** Where the service delivers. */
  readonly address: string;
  readonly subscription: Subscription | undefined;
  /** Page that shows what arrives, with its token. */
  readonly inspectUrl?: string | undefined;
  readonly names?: ReadonlyMap<string, string>;
}
