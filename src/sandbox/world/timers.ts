import { trafficTimers } from '../control/traffic.ts';
import { callTimers } from '../calls/timers.ts';
import { remind } from '../subscriptions/remind.ts';
import { webhookTimers } from '../subscriptions/webhook-health.ts';
import { mailboxTimers } from '../messages/timers.ts';
import { expire } from '../subscriptions/rules.ts';
import type { TimerHandlers } from './world.ts';

/** What time does to the state, by kind of timer. */
export const timerHandlers: TimerHandlers = {
  ...mailboxTimers,
  'subscription.expire': expire,
  'subscription.remind': remind,
  ...trafficTimers,
  ...callTimers,
  ...webhookTimers,
};
