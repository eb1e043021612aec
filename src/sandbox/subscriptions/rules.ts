import type { Caller } from '../request/call.ts';
import { ServiceError } from '../request/errors.ts';
import { readFilter, type EventFilter } from './filter.ts';
import { scheduleReminder, stopReminder } from './remind.ts';
import { stopReconciliation } from './webhook-health.ts';
import type { DisabledFilter, SubscriptionRow } from './store.ts';
import { addressOf } from '../request/uris.ts';
import type { World } from '../world/world.ts';

/** Parsed filters. A filter is disabled if the user may no longer read its data. */
export interface ReadFilters {
  readonly active: readonly EventFilter[];
  readonly disabled: readonly DisabledFilter[];
}

/** Parses new filters. One invalid filter rejects the whole request. */
export function readFilters(
  world: World,
  caller: Caller,
  filters: readonly string[],
  lifetimeSeconds: number,
): ReadFilters {
  return { active: filters.map((text) => readFilter(world, caller, text, lifetimeSeconds)), disabled: [] };
}

/**
 * Checks the filters of a subscription again; a filter that is no longer valid is disabled, and the other filters stay
 * active.
 */
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

/**
 * Whether the events of a subscription are encrypted: on request, or because a filter reports data that this transport
 * must encrypt (EVENT-28). In dialect `current`, a webhook never gets encrypted events (CURRENT-11).
 */
export function isEncrypted(
  world: World,
  transportType: string,
  filters: ReadFilters,
  isRequested: boolean,
): boolean {
  if (transportType === 'WebHook' && world.settings.webhookEncryption === 'never') return false;
  return isRequested || filters.active.some(({ sensitive }) => sensitive);
}

/** Stores a new or renewed subscription and returns it. */
export function startLife(world: World, row: SubscriptionRow, filters: ReadFilters) {
  const now = world.clock.now();
  const expiresAt = now + row.lifetimeSeconds * 1000;
  const { disabled } = filters;
  const topics = new Map(filters.active.map(({ text, topic }) => [text, topic] as const));
  const eventFilters = [...topics.keys(), ...disabled.map(({ filter }) => filter)];
  const alive: SubscriptionRow = { ...row, eventFilters, disabledFilters: disabled, expiresAt };
  world.subscriptions.save(alive, topics);
  // The subscription of a WebSocket ends with its session.
  if (row.transportType !== 'WebSocket') world.timers.set('subscription.expire', row.id, expiresAt);
  scheduleReminder(world, alive);
  return toSubscription(world, alive, now);
}

/**
 * Expires a subscription that was not renewed: it gets no new notifications, and requests for it get SUB-507. Pending
 * notifications are still delivered.
 */
export function expire(world: World, id: string): void {
  const row = world.subscriptions.byId(id);
  if (!row) return;
  world.subscriptions.save({ ...row, state: 'expired' }, new Map());
  stopTimers(world, id);
  // The only pending delivery of a disabled webhook is a handshake.
  if (row.status !== 'Active') world.deliveries.drop(id);
}

/** Removes a subscription and its pending notifications. */
export function endSubscription(world: World, row: SubscriptionRow): void {
  const { id, address, transportType } = row;
  world.subscriptions.remove(id);
  world.timers.cancel('subscription.expire', id);
  stopTimers(world, id);
  if (transportType === 'WebHook') return world.deliveries.drop(id);
  world.deliveries.loseAll(id, 'the subscription ended', world.clock.now());
  world.channels.drop(address);
}

function stopTimers(world: World, id: string): void {
  stopReminder(world, id);
  stopReconciliation(world, id);
}

/**
 * Returns the caller's subscription with this ID. @throws {ServiceError} 404 with CMN-102 if it is unknown or belongs
 * to another user, with SUB-507 if it has expired.
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

/**
 * Returns the caller's subscription, for a change over HTTP. @throws {ServiceError} the errors of `ownSubscription`;
 * 400 for the subscription of a WebSocket, which only the WebSocket can change (SOCKET-5).
 */
export function changeableSubscription(
  world: World,
  caller: Caller,
  id: string | undefined,
): SubscriptionRow {
  const row = ownSubscription(world, caller, id);
  if (row.transportType !== 'WebSocket') return row;
  const message = 'WebSocket subscription cannot be updated via HTTP';
  throw new ServiceError(400, 'CMN-101', message, { parameterName: 'subscriptionId' });
}

/**
 * Returns the reply for a subscription. `now` must be the time of the last renewal; otherwise expiresIn could be a
 * second too low.
 */
export function toSubscription(world: World, row: SubscriptionRow, now: number = world.clock.now()) {
  const encrypted = row.encryptionKey !== null;
  const disabled = new Set(row.disabledFilters.map(({ filter }) => filter));
  return {
    id: row.id,
    uri: addressOf(world, `/restapi/v1.0/subscription/${row.id}`),
    eventFilters: row.eventFilters.filter((filter) => !disabled.has(filter)),
    deliveryMode:
      row.transportType === 'WebSocket'
        ? { transportType: row.transportType }
        : {
            transportType: row.transportType,
            address: row.address,
            encryption: encrypted,
            // The published webhook of dialect `current` does not have this member (CURRENT-11).
            ...((encrypted || world.dialectName === 'spec') && {
              encryptionAlgorithm: encrypted ? 'AES' : 'None',
            }),
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
