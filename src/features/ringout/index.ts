export { followRingOut, isOver, type RingOutGoal } from './follow.ts';
export { explainCall } from './words.ts';
export { ringOutView, toState, type RingOutState } from './state.ts';
