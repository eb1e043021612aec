import { CHANNEL_SUBSCRIPTION_SECONDS, WEBHOOK_SUBSCRIPTION_SECONDS } from '../../contract/limits.ts';
import type { Handler } from '../call.ts';
import { stopReminder } from '../events/remind.ts';
import { ownSubscription, readFilters, startLife, toSubscription } from '../subscriptions.ts';

/** GET subscription: those of this user and app, of both transports. */
export const listSubscriptions: Handler<'listSubscriptions'> = ({ world, caller }) => {
  const rows = world.subscriptions.ofUser(caller.extension.id, caller.app.clientId);
  const uri = `${world.baseUrl}/restapi/v1.0/subscription`;
  return { json: { uri, records: rows.map((row) => toSubscription(world, row)) } };
};

/** GET subscription/{subscriptionId}. */
export const readSubscription: Handler<'readSubscription'> = ({ world, caller, params }) => ({
  json: toSubscription(world, ownSubscription(world, caller, params['subscriptionId'])),
});

/** PUT subscription/{subscriptionId}: new filters or life if given, and a renewal in any case. */
export const updateSubscription: Handler<'updateSubscription'> = ({ world, caller, params, body }) => {
  const row = ownSubscription(world, caller, params['subscriptionId']);
  const limits =
    row.transportType === 'WebHook' ? WEBHOOK_SUBSCRIPTION_SECONDS : CHANNEL_SUBSCRIPTION_SECONDS;
  const lifetimeSeconds = Math.min(body.expiresIn ?? row.lifetimeSeconds, limits.max);
  const topics = readFilters(world, caller, body.eventFilters ?? row.eventFilters, lifetimeSeconds);
  return { json: toSubscription(world, startLife(world, { ...row, lifetimeSeconds }, topics)) };
};

/** POST subscription/{subscriptionId}/renew. */
export const renewSubscription: Handler<'renewSubscription'> = ({ world, caller, params }) => {
  const row = ownSubscription(world, caller, params['subscriptionId']);
  const topics = readFilters(world, caller, row.eventFilters, row.lifetimeSeconds);
  return { json: toSubscription(world, startLife(world, row, topics)) };
};

/** DELETE subscription/{subscriptionId}: what was not delivered yet is dropped. */
export const deleteSubscription: Handler<'deleteSubscription'> = ({ world, caller, params }) => {
  const { id } = ownSubscription(world, caller, params['subscriptionId']);
  world.subscriptions.remove(id);
  world.deliveries.drop(id);
  world.timers.cancel('subscription.expire', id);
  stopReminder(world, id);
  return {};
};
