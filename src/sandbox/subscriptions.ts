import type { Caller } from './call.ts';
import { ServiceError } from './errors.ts';
import { readFilter } from './events/filter.ts';
import { scheduleReminder, stopReminder } from './events/remind.ts';
import type { SubscriptionRow } from './store/subscriptions.ts';
import type { World } from './world.ts';

/** The filters with `~` resolved, each with the topic that it watches. */
export function readFilters(
  world: World,
  caller: Caller,
  filters: readonly string[],
  lifetimeSeconds: number,
): ReadonlyMap<string, string> {
  return new Map(
    filters.map((text) => {
      const filter = readFilter(world, caller, text, lifetimeSeconds);
      return [filter.text, filter.topic] as const;
    }),
  );
}

/** Stores a subscription whose life begins now. */
export function startLife(
  world: World,
  row: SubscriptionRow,
  topics: ReadonlyMap<string, string>,
): SubscriptionRow {
  const expiresAt = world.clock.now() + row.lifetimeSeconds * 1000;
  const alive: SubscriptionRow = { ...row, eventFilters: [...topics.keys()], expiresAt };
  world.subscriptions.save(alive, topics);
  world.timers.set('subscription.expire', row.id, expiresAt);
  scheduleReminder(world, alive);
  return alive;
}

/** The end of a subscription that was not renewed: it delivers no more, and its use is answered with SUB-507. */
export function expire(world: World, id: string): void {
  const row = world.subscriptions.byId(id);
  if (!row) return;
  world.subscriptions.save({ ...row, state: 'expired' }, new Map());
  stopReminder(world, id);
  world.deliveries.drop(id);
}

/**
 * The caller's subscription of this id.
 * @throws {ServiceError} 404: CMN-102 unknown or someone else's, SUB-507 expired.
 */
export function ownSubscription(world: World, caller: Caller, id: string | undefined): SubscriptionRow {
  const row = world.subscriptions.byId(id ?? '');
  if (row?.extensionId !== caller.extension.id || row.clientId !== caller.app.clientId) {
    const message = 'Resource for parameter [subscriptionId] is not found';
    throw new ServiceError(404, 'CMN-102', message, { parameterName: 'subscriptionId' });
  }
  if (row.state === 'expired') throw new ServiceError(404, 'SUB-507', 'Subscription has expired');
  return row;
}

/** The subscription as the service answers it. */
export function toSubscription(world: World, row: SubscriptionRow) {
  const encrypted = row.encryptionKey !== null;
  return {
    id: row.id,
    uri: `${world.baseUrl}/restapi/v1.0/subscription/${row.id}`,
    eventFilters: row.eventFilters,
    deliveryMode: {
      transportType: row.transportType,
      address: row.address,
      encryption: encrypted,
      encryptionAlgorithm: encrypted ? 'AES' : 'None',
      ...(encrypted && { encryptionKey: row.encryptionKey }),
      ...(row.subscriberKey !== null && { subscriberKey: row.subscriberKey }),
      ...(row.secretKey !== null && { secretKey: row.secretKey }),
    },
    creationTime: world.clock.iso(row.createdAt),
    expirationTime: world.clock.iso(row.expiresAt),
    expiresIn: Math.max(0, Math.floor((row.expiresAt - world.clock.now()) / 1000)),
    status: 'Active',
  };
}
