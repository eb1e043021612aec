import type { telephonyStatuses } from '../../contract/enums.ts';
import type { CallRow, LegRow } from './store.ts';
import type { World } from '../world/world.ts';

/** @throws {Error} for a call that does not exist: a bug of ours. */
export function callOf(world: World, callId: number): CallRow {
  const call = world.calls.byId(callId);
  if (!call) throw new Error(`there is no call ${callId}`);
  return call;
}

/** Both legs are on the line. */
export function isConnected(call: CallRow): boolean {
  return call.connectedAt !== null && call.endedAt === null;
}

/** The leg that rings, or the last one that did. */
export function currentLeg(world: World, callId: number): LegRow {
  const leg = world.calls.legs(callId).findLast(({ startedAt }) => startedAt !== null);
  if (!leg) throw new Error(`call ${callId} has not started`);
  return leg;
}

/** Who was called: of the telephones of a queue the one rung last. */
export function calleeOf(legs: readonly LegRow[]): LegRow {
  const leg = legs.at(-1);
  if (!leg) throw new Error('a call without legs');
  return leg;
}

/** What one telephone is in, as presence tells it. */
export function telephonyStatusOf(leg: LegRow): (typeof telephonyStatuses)[number] {
  if (leg.endedAt !== null) return 'NoCall';
  if (leg.status !== 'Success') return 'Ringing';
  return leg.held ?? 'CallConnected';
}
