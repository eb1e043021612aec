export {
  followRingOut,
  hasFailed,
  isOver,
  mayBeCanceled,
  wasConnected,
  type FollowParts,
  type RingOutGoal,
} from './follow.ts';
export { isUncancelled, readCancelled, unreadCall } from './read-call.ts';
export { explainCall } from './words.ts';
export { ringOutView, toState, type RingOutState } from './state.ts';
