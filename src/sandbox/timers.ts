import { remind } from './events/remind.ts';
import { webhookTimers } from './events/webhook-health.ts';
import { moveMessage } from './messages.ts';
import { expire } from './subscriptions.ts';
import type { TimerHandlers } from './world.ts';

/** What time does to the state, by kind of timer. */
export const timerHandlers: TimerHandlers = {
  'message.sent': (world, id) => {
    const row = world.messages.byId(Number(id));
    if (row?.messageStatus === 'Queued') moveMessage(world, row, 'Sent');
  },
  'message.delivered': (world, id) => {
    const row = world.messages.byId(Number(id));
    if (row?.messageStatus === 'Sent') moveMessage(world, row, 'Delivered', world.clock.now());
  },
  'subscription.expire': expire,
  'subscription.remind': remind,
  ...webhookTimers,
};
