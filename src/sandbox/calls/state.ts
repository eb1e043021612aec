import type { telephonyStatuses } from '../../contract/enums.ts';
import type { CallRow, LegRow } from './store.ts';
import type { World } from '../world/world.ts';

/** Returns a call. @throws {Error} if the call does not exist, which is a bug of the sandbox. */
export function callOf(world: World, callId: number): CallRow {
  const call = world.calls.byId(callId);
  if (!call) throw new Error(`call ${callId} not found`);
  return call;
}

/** Whether both legs are connected. */
export function isConnected(call: CallRow): boolean {
  return call.connectedAt !== null && call.endedAt === null;
}

/** Returns the ringing leg, otherwise the leg that rang last. */
export function currentLeg(world: World, callId: number): LegRow {
  const leg = world.calls.legs(callId).findLast(({ startedAt }) => startedAt !== null);
  if (!leg) throw new Error(`call ${callId} has not started`);
  return leg;
}

/** Returns the leg of the callee; for a queue, the leg of the agent whose phone rang last. */
export function calleeOf(legs: readonly LegRow[]): LegRow {
  const leg = legs.at(-1);
  if (!leg) throw new Error('the call has no legs');
  return leg;
}

/** Returns the leg of the caller as the called person sees it: with the caller ID of the request in place of the number. */
export function shownCaller(caller: LegRow): LegRow {
  return caller.callerId === null ? caller : { ...caller, phoneNumber: caller.callerId };
}

/** Returns the telephonyStatus of one phone. */
export function telephonyStatusOf(leg: LegRow): (typeof telephonyStatuses)[number] {
  if (leg.endedAt !== null) return 'NoCall';
  if (leg.status !== 'Success') return 'Ringing';
  return leg.held ?? 'CallConnected';
}
