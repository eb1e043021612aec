import { readChannel } from './channel-routes.ts';
import { channelSubscriptionSeconds, webhookSubscriptionSeconds } from '../../contract/limits.ts';
import type { Handler, Routes } from '../request/call.ts';
import {
  endSubscription,
  mustEncrypt,
  ownSubscription,
  readFilters,
  reviewFilters,
  startLife,
  toSubscription,
} from './rules.ts';
import type { SubscriptionRow } from './store.ts';
import type { World } from '../world/world.ts';
import { createSubscription, newChannel, newEncryptionKey } from './create.ts';

/** GET subscription: those of this user and app, of both transports. */
const listSubscriptions: Handler<'listSubscriptions'> = ({ world, caller }) => {
  const rows = world.subscriptions.ofUser(caller.extension.id, caller.app.clientId);
  const uri = `${world.baseUrl}/restapi/v1.0/subscription`;
  return { json: { uri, records: rows.map((row) => toSubscription(world, row)) } };
};

/** GET subscription/{subscriptionId}. */
const readSubscription: Handler<'readSubscription'> = ({ world, caller, params }) => ({
  json: toSubscription(world, ownSubscription(world, caller, params['subscriptionId'])),
});

/** PUT subscription/{subscriptionId}: new filters or life if given, and a renewal in any case; all else is ignored. */
const updateSubscription: Handler<'updateSubscription'> = ({ world, caller, params, body }) => {
  const row = renewed(world, 'updateSubscription', ownSubscription(world, caller, params['subscriptionId']));
  const limits = row.transportType === 'WebHook' ? webhookSubscriptionSeconds : channelSubscriptionSeconds;
  const lifetimeSeconds = Math.min(body.expiresIn ?? row.lifetimeSeconds, limits.max);
  const changed = { ...row, lifetimeSeconds };
  const filters = body.eventFilters
    ? readFilters(world, caller, body.eventFilters, lifetimeSeconds)
    : reviewFilters(world, caller, changed);
  const encryptionKey =
    row.encryptionKey ?? (mustEncrypt(world, row.transportType, filters) ? newEncryptionKey(world) : null);
  return { json: startLife(world, { ...changed, encryptionKey }, filters) };
};

/** POST subscription/{subscriptionId}/renew. */
const renewSubscription: Handler<'renewSubscription'> = ({ world, caller, params }) => {
  const row = renewed(world, 'renewSubscription', ownSubscription(world, caller, params['subscriptionId']));
  return { json: startLife(world, row, reviewFilters(world, caller, row)) };
};

/**
 * What a renewal starts from: the subscription as it is, or with the fault `renew-changes` one with another channel, other keys and half the
 * life, since a renewal may change anything (SUBSCRIPTION-4).
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

/** DELETE subscription/{subscriptionId}: what was not delivered yet is dropped. */
const deleteSubscription: Handler<'deleteSubscription'> = ({ world, caller, params }) => {
  endSubscription(world, ownSubscription(world, caller, params['subscriptionId']));
  return {};
};

/** Subscriptions, and the hosted channel. */
export const subscriptionRoutes = {
  createSubscription,
  listSubscriptions,
  readSubscription,
  updateSubscription,
  renewSubscription,
  deleteSubscription,
  readChannel,
} satisfies Routes;
