import { callTimers } from '../calls/timers.ts';
import { trafficTimers } from '../control/traffic.ts';
import { messageTimers } from '../messages/timers.ts';
import { subscriptionTimers } from '../subscriptions/timers.ts';
import type { TimerHandlers } from './world.ts';

/** What time does to the state, by kind of timer. */
export const timerHandlers: TimerHandlers = {
  ...messageTimers,
  ...subscriptionTimers,
  ...callTimers,
  ...trafficTimers,
};
