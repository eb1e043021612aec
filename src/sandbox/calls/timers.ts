import type { TimerHandlers } from '../world/world.ts';
import { stepCall } from './engine.ts';

/** The timer handlers of all calls, by kind of timer. */
export const callTimers: TimerHandlers = {
  'call.step': (world, id) => stepCall(world, Number(id)),
};
