import type { Client } from '../../client/index.ts';
import type { RingOut } from '../../contract/ringout.ts';
import { readCall } from './read-call.ts';

/** The goal of waiting: the call is connected or has failed (`connected`), or both legs have ended (`finished`). */
export type RingOutGoal = 'connected' | 'finished';

export interface FollowParts {
  readonly api: Pick<Client, 'ringOuts'>;
  readonly goal: RingOutGoal;
  /** Polling interval in milliseconds. An interval of 2 s uses 30 of the 50 light requests per minute. */
  readonly intervalMilliseconds: number;
  readonly signal: AbortSignal;
  sleep(milliseconds: number): Promise<void>;
}

/** Yields `first` and each later state of the call, until the wait is over. */
export async function* followRingOut(
  first: RingOut,
  parts: FollowParts,
): AsyncGenerator<RingOut, void, undefined> {
  let shown = first;
  yield first;
  while (!isOver(shown, parts.goal)) {
    await parts.sleep(parts.intervalMilliseconds);
    const next = await readCall(parts.api, shown, { signal: parts.signal });
    if (JSON.stringify(next.status) === JSON.stringify(shown.status)) continue;
    shown = next;
    yield next;
  }
}

/** Statuses of a connected call (RINGOUT-16). In dialect `current`, a call may also have any status of a leg. */
const connectedCalls: ReadonlySet<string> = new Set(['Success', 'Finished']);

/** Statuses of a failed call or leg (RINGOUT-17, RINGOUT-18, RINGOUT-20 to RINGOUT-22, RINGOUT-25, RINGOUT-26, RINGOUT-32). */
const failures: ReadonlySet<string> = new Set([
  'Busy',
  'CannotReach',
  'DestinationBlocked',
  'Error',
  'GenericError',
  'InternationalDisabled',
  'NoAnswer',
  'NoAnsweringMachine',
  'NosuchUser',
  'NotEnoughFunds',
  'Rejected',
  'RingOutFromThisNumberIsNotSupported',
]);

/** Whether a status says that the call is connected or has failed. Unpublished statuses say neither. */
function isFinal(callStatus: string): boolean {
  return connectedCalls.has(callStatus) || failures.has(callStatus) || callStatus === 'Invalid';
}

function hasEnded(leg: string): boolean {
  return failures.has(leg) || leg === 'Finished';
}

/** Whether the goal is reached, or can no longer be reached (CLIENT-19). */
export function isOver({ status }: Pick<RingOut, 'status'>, goal: RingOutGoal): boolean {
  const { callStatus, callerStatus, calleeStatus } = status;
  const legs = [callerStatus, calleeStatus];
  if ([callStatus, ...legs].includes('NoSessionFound')) return true;
  if (callStatus === 'InProgress') return false;
  if (!isFinal(callStatus)) {
    return legs.every((leg) => hasEnded(leg) || (goal === 'connected' && leg === 'Success'));
  }
  return goal === 'connected' || legs.every((leg) => hasEnded(leg) || leg === 'Invalid' || leg === 'Unknown');
}

/**
 * Whether the callee's leg has neither been answered nor ended (RINGOUT-30). For an unpublished status, only an attempt
 * shows whether the service cancels the call.
 */
export function mayBeCanceled({ status }: Pick<RingOut, 'status'>): boolean {
  return status.calleeStatus !== 'Success' && !hasEnded(status.calleeStatus);
}

/** Whether the parties were connected; without a published status of the call, both legs must have been answered. */
export function wasConnected({ status }: Pick<RingOut, 'status'>): boolean {
  const { callStatus, callerStatus, calleeStatus } = status;
  if (callStatus === 'InProgress' || isFinal(callStatus)) return connectedCalls.has(callStatus);
  return [callerStatus, calleeStatus].every((leg) => leg === 'Success' || leg === 'Finished');
}

/** Whether a call has failed. An unpublished status may mean that a phone rings, so it is not a failure. */
export function hasFailed(call: Pick<RingOut, 'status'>): boolean {
  const { callStatus } = call.status;
  const isPublished = ['InProgress', 'NoSessionFound'].includes(callStatus) || isFinal(callStatus);
  return isPublished && isOver(call, 'connected') && !wasConnected(call);
}
