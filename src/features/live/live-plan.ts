import type { Client } from '../../client/index.ts';
import type { Subscription, SubscriptionRequest } from '../../contract/subscription.ts';
import type { AddedEvent } from '../../store/event-log.ts';
import type { EventNames, NamedExtension } from './describe/event-names.ts';
import type { Target } from './deliver/target.ts';
import type { EventTransport } from './subscription/transport.ts';
import type { Where } from './notification/where.ts';

/** Options of one run of `subscribe tail` or `webhook listen`. */
export interface LivePlan {
  /**
   * Opens the client. Called only when needed, because a receiver without a subscription may never need it.
   * @throws if nobody is signed in.
   */
  readonly api: () => Promise<Client>;
  /** Event filters of the subscription; undefined to receive for a subscription that another program creates. */
  readonly request: Pick<SubscriptionRequest, 'eventFilters'> | undefined;
  /** Whether the service is asked to encrypt notifications. */
  readonly encryption: boolean;
  readonly transport: EventTransport;
  /** Name of the receiver; a second receiver at the same time gets a number. */
  readonly receiver: string;
  /** Whether the subscription stays on the service when the run ends. */
  readonly keepSubscription: boolean;
  /** Whether to recover messages that were missed after the previous run. */
  readonly recover: boolean;
  readonly targets: readonly Target[];
  readonly where: Where | undefined;
  readonly count: number | undefined;
  /** The extensions whose names are known. */
  readonly extensions: () => Promise<Iterable<NamedExtension>>;
  /** Whether to mention `--all-extensions` to an administrator who watches only their own extension. */
  readonly offersAll: boolean;
  /** Whether to read the text of new messages, because the events contain only counts. */
  readonly lookup: boolean;
  /** Whether to serve the inspector page. */
  readonly inspect: boolean;
  /** File that exists while events can arrive, with addresses and IDs as JSON. */
  readonly readyFile: string | undefined;
  /**
   * Stores an event in another place, before it is stored on this machine and acknowledged. A rejection makes the service
   * retry.
   */
  readonly alsoStore?: ((event: AddedEvent) => Promise<unknown>) | undefined;
  readonly onSubscribed?: (subscription: Subscription) => Promise<void>;
}

export interface LiveReady {
  /** Local address of the receiver; undefined for a channel. */
  readonly url: string | undefined;
  /** Address to which the service delivers. */
  readonly address: string;
  readonly subscription: Pick<Subscription, 'id' | 'eventFilters'> | undefined;
  /** Address of the inspector page, with its token. */
  readonly inspectUrl?: string | undefined;
  readonly names?: EventNames | undefined;
}
