import type { TimerHandlers } from '../world/world.ts';
import { sessionTimers } from './session-end.ts';
import { endAbsolute, endIdle, endLost } from './sessions.ts';

/** Timers of WebSocket sessions. A timer of an earlier process has no session and does nothing. */
export const socketTimers: TimerHandlers = {
  [sessionTimers.idle]: endIdle,
  [sessionTimers.absolute]: endAbsolute,
  [sessionTimers.recovery]: endLost,
};
