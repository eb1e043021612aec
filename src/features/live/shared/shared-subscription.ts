import type { Client } from '../../../client/index.ts';
import type { Subscription, SubscriptionRequest } from '../../../contract/subscription.ts';
import { isMissingResource } from '../../../errors/service-codes.ts';
import { openSubscription } from '../subscription/create.ts';
import { filterWarnings } from '../subscription/filters-in-effect.ts';
import { isStopped } from '../subscription/renew.ts';

/** The subscription that the processes of a receiver share. */
export interface SharedSubscription {
  readonly subscription: Subscription;
  /** Whether this call created the subscription. */
  readonly isNew: boolean;
}

/** The subscription as recorded in the store. */
interface Recorded {
  readonly subscriptionId: string | undefined;
  /** Whether the recorded subscription has another address or token. */
  readonly replaces: boolean;
}

/**
 * Finds the subscription of the address, or creates it. A process that was killed between the creation and
 * its record leaves a subscription that is not recorded in the store. The next owner finds this subscription
 * by its address. Further subscriptions of the receiver are deleted.
 * @throws the service's error.
 */
export async function ensureSubscription(
  api: Pick<Client, 'subscriptions'>,
  request: SubscriptionRequest,
  { subscriptionId, replaces }: Recorded,
  signal: AbortSignal,
): Promise<SharedSubscription> {
  const { address } = request.deliveryMode;
  const own = (await api.subscriptions.list({ signal })).filter(
    ({ id, deliveryMode }) => id === subscriptionId || deliveryMode.address === address,
  );
  const usable = replaces ? [] : own.filter((one) => !isStopped(one) && one.deliveryMode.address === address);
  const found = usable.find(({ id }) => id === subscriptionId) ?? usable[0];
  for (const { id } of own) {
    if (id !== found?.id) await deleteIfKnown(api, id, signal);
  }
  if (!found) {
    const { subscription } = await openSubscription(api, request, undefined, signal);
    return { subscription, isNew: true };
  }
  if (filterWarnings(request.eventFilters, found).length === 0) return { subscription: found, isNew: false };
  const { eventFilters } = request;
  return {
    subscription: await api.subscriptions.update(found.id, { eventFilters }, { signal }),
    isNew: false,
  };
}

/** Deletes a subscription, unless it has expired or somebody else has deleted it. @throws the service's error. */
export async function deleteIfKnown(
  api: Pick<Client, 'subscriptions'>,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  await api.subscriptions.delete(id, { signal }).catch((error: unknown) => {
    if (!isMissingResource(error)) throw error;
  });
}
