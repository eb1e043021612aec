import type { TimerHandlers } from '../world/world.ts';
import { remind } from './remind.ts';
import { expire } from './rules.ts';
import { webhookTimers } from './webhook-health.ts';

/** Timer handlers of subscriptions: expiry, reminders and new handshakes with disabled webhooks. */
export const subscriptionTimers: TimerHandlers = {
  'subscription.expire': expire,
  'subscription.remind': remind,
  ...webhookTimers,
};
