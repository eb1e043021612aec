import type { Caller } from '../request/call.ts';
import { ServiceError } from '../request/errors.ts';
import { readFilter, type EventFilter } from './filter.ts';
import { scheduleReminder, stopReminder } from './remind.ts';
import { stopReconciliation } from './webhook-health.ts';
import type { DisabledFilter, SubscriptionRow } from './store.ts';
import type { World } from '../world/world.ts';

/** Filters as read: those in effect, and those whose data may no longer be read. */
export interface ReadFilters {
  readonly active: readonly EventFilter[];
  readonly disabled: readonly DisabledFilter[];
}

/** New filters: one that is bad refuses them all. */
export function readFilters(
  world: World,
  caller: Caller,
  filters: readonly string[],
  lifetimeSeconds: number,
): ReadFilters {
  return { active: filters.map((text) => readFilter(world, caller, text, lifetimeSeconds)), disabled: [] };
}

/** Filters that were good once: one that is refused now is disabled, and the rest goes on. */
export function reviewFilters(world: World, caller: Caller, row: SubscriptionRow): ReadFilters {
  const active: EventFilter[] = [];
  const disabled: DisabledFilter[] = [];
  for (const text of row.eventFilters) {
    try {
      active.push(readFilter(world, caller, text, row.lifetimeSeconds));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      disabled.push({ filter: text, reason: error.code, message: error.message });
    }
  }
  return { active, disabled };
}

/** Whether a filter reports data that this transport must encrypt (EVENT-28). */
export function mustEncrypt(world: World, transportType: string, filters: ReadFilters): boolean {
  if (transportType === 'WebHook' && world.settings.webhookEncryption === 'never') return false;
  return filters.active.some(({ sensitive }) => sensitive);
}

/** Stores a subscription whose life begins now, and answers it. */
export function startLife(world: World, row: SubscriptionRow, filters: ReadFilters) {
  const now = world.clock.now();
  const expiresAt = now + row.lifetimeSeconds * 1000;
  const { disabled } = filters;
  const topics = new Map(filters.active.map(({ text, topic }) => [text, topic] as const));
  const eventFilters = [...topics.keys(), ...disabled.map(({ filter }) => filter)];
  const alive: SubscriptionRow = { ...row, eventFilters, disabledFilters: disabled, expiresAt };
  world.subscriptions.save(alive, topics);
  world.timers.set('subscription.expire', row.id, expiresAt);
  scheduleReminder(world, alive);
  return toSubscription(world, alive, now);
}

/**
 * The end of a subscription that was not renewed: nothing more is told to it, and its use is answered with SUB-507. What happened before
 * is still delivered.
 */
export function expire(world: World, id: string): void {
  const row = world.subscriptions.byId(id);
  if (!row) return;
  world.subscriptions.save({ ...row, state: 'expired' }, new Map());
  stopTimers(world, id);
  // Of a webhook that was given up only a handshake can be waiting.
  if (row.status !== 'Active') world.deliveries.drop(id);
}

/** DELETE: nothing is left of it. */
export function endSubscription(world: World, row: SubscriptionRow): void {
  const { id, address, transportType } = row;
  world.subscriptions.remove(id);
  world.timers.cancel('subscription.expire', id);
  stopTimers(world, id);
  world.deliveries.drop(id);
  if (transportType !== 'WebHook') world.channels.drop(address);
}

function stopTimers(world: World, id: string): void {
  stopReminder(world, id);
  stopReconciliation(world, id);
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

/** The subscription as the service answers it. `now` is the time of whatever set its end, or a whole second would be missing. */
export function toSubscription(world: World, row: SubscriptionRow, now: number = world.clock.now()) {
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
    expiresIn: Math.max(0, Math.floor((row.expiresAt - now) / 1000)),
    status: row.status,
    ...(row.blacklistedAt !== null && {
      blacklistedData: {
        blacklistedAt: world.clock.iso(row.blacklistedAt),
        reason: row.blacklistReason ?? '',
      },
    }),
    ...(row.disabledFilters.length > 0 && { disabledFilters: row.disabledFilters }),
  };
}
