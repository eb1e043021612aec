import { leaveChannel, readChannel, readChannelTime } from './channel-routes.ts';
import {
  channelSubscriptionSeconds,
  defaultPerPage,
  webhookSubscriptionSeconds,
} from '../../contract/limits.ts';
import type { Handler, Routes } from '../request/call.ts';
import { invalidParameter } from '../request/errors.ts';
import { listReply } from '../request/paging.ts';
import {
  changeableSubscription,
  endSubscription,
  isEncrypted,
  ownSubscription,
  readFilters,
  reviewFilters,
  startLife,
  toSubscription,
} from './rules.ts';
import type { SubscriptionRow } from './store.ts';
import { addressOf } from '../request/uris.ts';
import type { World } from '../world/world.ts';
import { createSubscription, newChannel, newEncryptionKey } from './create.ts';

/**
 * Serves GET subscription: subscriptions of this user and app, with any transport, on one page. In dialect `current`,
 * the list has no pages (SUBSCRIPTION-2).
 */
const listSubscriptions: Handler<'listSubscriptions'> = ({ world, caller }) => {
  const path = '/restapi/v1.0/subscription';
  const rows = world.subscriptions.ofUser(caller.extension.id, caller.app.clientId);
  const toItem = (row: SubscriptionRow) => toSubscription(world, row);
  if (world.dialectName === 'current')
    return { json: { uri: addressOf(world, path), records: rows.map(toItem) } };
  const perPage = Math.max(defaultPerPage, rows.length);
  const page = { page: 1, perPage, window: { limit: perPage, offset: 0 } };
  return { json: listReply({ world, path, page }, { rows, total: rows.length }, toItem) };
};

/** Serves GET subscription/{subscriptionId}. */
const readSubscription: Handler<'readSubscription'> = ({ world, caller, params }) => ({
  json: toSubscription(world, ownSubscription(world, caller, params['subscriptionId'])),
});

/**
 * Serves PUT subscription/{subscriptionId}: renews the subscription; new filters and a new lifetime are optional; other
 * members are ignored. In dialect `current`, a body has filters (SUBSCRIPTION-3).
 */
const updateSubscription: Handler<'updateSubscription'> = ({ world, caller, params, body, text }) => {
  const row = renewed(
    world,
    'updateSubscription',
    changeableSubscription(world, caller, params['subscriptionId']),
  );
  if (world.dialectName === 'current' && text.trim() !== '' && !body.eventFilters)
    throw invalidParameter('eventFilters');
  const limits = row.transportType === 'WebHook' ? webhookSubscriptionSeconds : channelSubscriptionSeconds;
  const lifetimeSeconds = Math.min(body.expiresIn ?? row.lifetimeSeconds, limits.max);
  const changed = { ...row, lifetimeSeconds };
  const filters = body.eventFilters
    ? readFilters(world, caller, body.eventFilters, lifetimeSeconds)
    : reviewFilters(world, caller, changed);
  const encryptionKey =
    row.encryptionKey ??
    (isEncrypted(world, row.transportType, filters, false) ? newEncryptionKey(world) : null);
  return { json: startLife(world, { ...changed, encryptionKey }, filters) };
};

/** Serves POST subscription/{subscriptionId}/renew. */
const renewSubscription: Handler<'renewSubscription'> = ({ world, caller, params }) => {
  const row = renewed(
    world,
    'renewSubscription',
    changeableSubscription(world, caller, params['subscriptionId']),
  );
  return { json: startLife(world, row, reviewFilters(world, caller, row)) };
};

/**
 * Returns the subscription from which a renewal starts. The fault `renew-changes` gives it another channel, other keys
 * and half the lifetime, because a renewal may change any of these (SUBSCRIPTION-4).
 */
function renewed(
  world: World,
  operation: 'renewSubscription' | 'updateSubscription',
  row: SubscriptionRow,
): SubscriptionRow {
  if (!world.faults.onRenewal(operation)) return row;
  return {
    ...row,
    ...(row.transportType !== 'WebHook' && newChannel(world)),
    encryptionKey: row.encryptionKey && newEncryptionKey(world),
    lifetimeSeconds: Math.max(1, Math.floor(row.lifetimeSeconds / 2)),
  };
}

/** Serves DELETE subscription/{subscriptionId}: deletes the subscription and its pending notifications. */
const deleteSubscription: Handler<'deleteSubscription'> = ({ world, caller, params }) => {
  endSubscription(world, changeableSubscription(world, caller, params['subscriptionId']));
  return {};
};

/** Routes of subscriptions and the hosted channel. */
export const subscriptionRoutes = {
  createSubscription,
  listSubscriptions,
  readSubscription,
  updateSubscription,
  renewSubscription,
  deleteSubscription,
  readChannel,
  readChannelTime,
  leaveChannel,
} satisfies Routes;
