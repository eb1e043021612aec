import type { TimerHandlers } from '../world/world.ts';
import { remind } from './remind.ts';
import { expire } from './rules.ts';
import { webhookTimers } from './webhook-health.ts';

/** What time does to subscriptions: they end, their owners are reminded before, and suspended webhooks are tried again. */
export const subscriptionTimers: TimerHandlers = {
  'subscription.expire': expire,
  'subscription.remind': remind,
  ...webhookTimers,
};
