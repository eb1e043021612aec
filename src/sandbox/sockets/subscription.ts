import { SubscriptionRequest, SubscriptionUpdate } from '../../contract/subscription.ts';
import type { Caller } from '../request/call.ts';
import { invalidParameter, notFound } from '../request/errors.ts';
import { parseShape } from '../request/shape.ts';
import { requireRoom } from '../subscriptions/create.ts';
import {
  ownSubscription,
  readFilters,
  reviewFilters,
  startLife,
  toSubscription,
} from '../subscriptions/rules.ts';
import type { SubscriptionRow } from '../subscriptions/store.ts';
import type { World } from '../world/world.ts';
import { callerOf } from './caller.ts';
import type { LiveSession } from './registry.ts';
import { endSession, endSubscriptionOf } from './session-end.ts';

/** Creates the subscription of a session; the previous one ends (SOCKET-5). Must run in a transaction. */
export function createSubscription(world: World, session: LiveSession, body: unknown) {
  const caller = callerOf(world, session.owner);
  const request = parseShape(SubscriptionRequest, body).value as SubscriptionRequest;
  if (request.deliveryMode.transportType !== 'WebSocket') {
    throw invalidParameter('deliveryMode.transportType');
  }
  const lifetimeSeconds = world.settings.webSocketAbsoluteSeconds;
  const filters = readFilters(world, caller, request.eventFilters, lifetimeSeconds);
  endSubscriptionOf(world, session);
  makeRoom(world, caller);
  const now = world.clock.now();
  const row: SubscriptionRow = {
    id: world.random.uuid(),
    clientId: caller.app.clientId,
    extensionId: caller.extension.id,
    transportType: 'WebSocket',
    address: session.key,
    verificationToken: null,
    encryptionKey: null,
    subscriberKey: null,
    secretKey: null,
    createdAt: now,
    expiresAt: now,
    lifetimeSeconds,
    state: 'active',
    status: 'Active',
    failingSince: null,
    blacklistedAt: null,
    blacklistReason: null,
    eventFilters: [],
    disabledFilters: [],
  };
  session.subscriptionId = row.id;
  return startLife(world, row, filters);
}

/** Changes the filters of a subscription, or checks them again. Must run in a transaction. */
export function updateSubscription(world: World, session: LiveSession, id: string, body: unknown) {
  const row = subscriptionOf(world, session, id);
  const { eventFilters } = parseShape(SubscriptionUpdate, body ?? {}).value as SubscriptionUpdate;
  const caller = callerOf(world, session.owner);
  const filters = eventFilters
    ? readFilters(world, caller, eventFilters, row.lifetimeSeconds)
    : reviewFilters(world, caller, row);
  return startLife(world, row, filters);
}

/** Returns the subscription of a session. */
export function readSubscription(world: World, session: LiveSession, id: string) {
  return toSubscription(world, subscriptionOf(world, session, id));
}

/** Ends the subscription of a session by its ID. Must run in a transaction. */
export function deleteSubscription(world: World, session: LiveSession, id: string): void {
  subscriptionOf(world, session, id);
  endSubscriptionOf(world, session);
}

/** Returns the subscription of this session. @throws {ServiceError} 404 for any other subscription. */
function subscriptionOf(world: World, session: LiveSession, id: string): SubscriptionRow {
  const row = ownSubscription(world, callerOf(world, session.owner), id);
  if (row.id !== session.subscriptionId) throw notFound('subscriptionId');
  return row;
}

/** At the limit of subscriptions, ends sessions of this user that wait for a connection, oldest first. */
function makeRoom(world: World, caller: Caller): void {
  const { extension, app } = caller;
  for (const waiting of world.sockets.waiting(extension.id, app.clientId)) {
    if (world.subscriptions.count(extension.id, app.clientId) < world.settings.subscriptionsPerUser) return;
    endSession(world, waiting);
  }
  requireRoom(world, caller);
}
