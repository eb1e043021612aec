import { callTimers } from '../calls/timers.ts';
import { trafficTimers } from '../control/traffic.ts';
import { extensionTimers } from '../directory/update-routes.ts';
import { messageTimers } from '../messages/timers.ts';
import { socketTimers } from '../sockets/timers.ts';
import { subscriptionTimers } from '../subscriptions/timers.ts';
import type { TimerHandlers } from './world.ts';

/** The timer handlers of all domains, by kind of timer. */
export const timerHandlers: TimerHandlers = {
  ...messageTimers,
  ...extensionTimers,
  ...subscriptionTimers,
  ...socketTimers,
  ...callTimers,
  ...trafficTimers,
};
