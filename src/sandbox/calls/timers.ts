import type { TimerHandlers } from '../world/world.ts';
import { stepCall } from './engine.ts';

/** What time does to calls. */
export const callTimers: TimerHandlers = {
  'call.step': (world, id) => stepCall(world, Number(id)),
};
