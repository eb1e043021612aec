import type { Client } from '../../../client/index.ts';
import type { Subscription, SubscriptionRequest } from '../../../contract/subscription.ts';
import type { Context } from '../../../runtime/context.ts';
import { sessionOwner } from '../../../runtime/session-owner.ts';
import { haveSameFilters } from './filters-in-effect.ts';

/** Longest search in milliseconds. */
const searchMilliseconds = 5000;
/** Largest difference in seconds between the requested lifetime and that of the created subscription. */
const lifetimeTolerance = 5;
const ownExtension = /\/extension\/~(?=[/?]|$)/;

/** The subscriptions of other runs and programs, among which a created subscription must be found. */
export interface OtherSubscriptions {
  /** The subscriptions before the request. */
  readonly existing: readonly Subscription[];
  /** Whether another run has recorded the subscription. */
  isRecorded(subscription: Subscription): Promise<boolean>;
  /** Returns the ID of the extension that `~` in an event filter means. */
  ownExtension(): Promise<string>;
}

/** Name of the keys of a subscription in the token store. */
export function keysItem(id: string): string {
  return `subscription:${id}`;
}

/**
 * Returns the subscriptions of other runs. A run records its subscription in the inbox, and may store the keys, which
 * runs on other machines find in a PostgreSQL store.
 * @param isInInbox whether another run has recorded the subscription in the inbox
 */
export function othersOf(
  ctx: Pick<Context, 'auth' | 'sender'>,
  api: Pick<Client, 'extensions'>,
  existing: readonly Subscription[],
  isInInbox: (subscription: Subscription) => boolean,
): OtherSubscriptions {
  const hasKeys = async (id: string): Promise<boolean> => {
    const { secrets } = await ctx.auth();
    return (await secrets.read(keysItem(id))) !== undefined;
  };
  return {
    existing,
    isRecorded: async (subscription) => isInInbox(subscription) || hasKeys(subscription.id),
    ownExtension: () =>
      sessionOwner({ sender: () => ctx.sender(), signal: AbortSignal.timeout(searchMilliseconds) }, api)(),
  };
}

/**
 * Finds the subscription of a request whose reply was lost. Without `others`, it is the subscription with the address.
 * Otherwise, it is the only new subscription that is as requested and that no other run has recorded.
 * @returns undefined if none or several can be the created subscription, or the search fails.
 */
export async function findLost(
  api: Pick<Client, 'subscriptions'>,
  request: SubscriptionRequest,
  others: OtherSubscriptions | undefined,
): Promise<Subscription | undefined> {
  // The signal of the run is not used: a created subscription must be found and deleted even after Ctrl-C.
  const signal = AbortSignal.timeout(searchMilliseconds);
  try {
    const all = await api.subscriptions.list({ signal });
    const { address } = request.deliveryMode;
    const [found, second] = others
      ? await createdAmong(all, request, others)
      : all.filter(({ deliveryMode }) => deliveryMode.address === address);
    return second ? undefined : found;
  } catch {
    return undefined;
  }
}

async function createdAmong(
  all: readonly Subscription[],
  request: SubscriptionRequest,
  others: OtherSubscriptions,
): Promise<readonly Subscription[]> {
  const before = new Set(others.existing.map(({ id }) => id));
  const created = all.filter((one) => !before.has(one.id) && isAsRequested(one, request));
  if (created.length === 0) return [];
  const filters = await withOwnExtension(request.eventFilters, others);
  const found: Subscription[] = [];
  for (const one of created)
    if (haveSameFilters(filters, one) && !(await others.isRecorded(one))) found.push(one);
  return found;
}

/** Whether transport, address, encryption and lifetime are as requested, as far as the service reports them. */
function isAsRequested(
  { deliveryMode, creationTime, expirationTime }: Subscription,
  { deliveryMode: requested, expiresIn }: SubscriptionRequest,
): boolean {
  const { transportType, address, encryption } = requested;
  const lifetime = (Date.parse(expirationTime) - Date.parse(creationTime)) / 1000;
  return (
    transportOf(deliveryMode.transportType) === transportOf(transportType) &&
    (address === undefined || deliveryMode.address === address) &&
    // Without a request, the service encrypts events such as presence nevertheless. With a request, it may not encrypt
    // the notifications to a webhook (CURRENT-11).
    !(encryption === true && deliveryMode.encryption === false && transportType !== 'WebHook') &&
    !(expiresIn !== undefined && Math.abs(lifetime - expiresIn) > lifetimeTolerance)
  );
}

/** Returns one name for each transport: the hosted channel has two (CHANNEL-4). */
function transportOf(transportType: string): string {
  return transportType === 'PubNub' ? 'ChannelService' : transportType;
}

/** Returns the filters with the ID of the own extension, because `~` would also equal the ID of another extension. */
async function withOwnExtension(
  filters: readonly string[],
  others: OtherSubscriptions,
): Promise<readonly string[]> {
  if (!filters.some((filter) => ownExtension.test(filter))) return filters;
  const id = await others.ownExtension();
  return filters.map((filter) => filter.replace(ownExtension, `/extension/${id}`));
}
