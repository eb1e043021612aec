export { followRingOut, isOver, type RingOutGoal } from './follow.ts';
export { callWords, legWords, explainCall } from './words.ts';
export { ringOutView, toState, type RingOutState } from './state.ts';
