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

/** Statuses of a leg that has ended (RINGOUT-20 to RINGOUT-22, RINGOUT-24 to RINGOUT-26). */
const ended: ReadonlySet<string> = new Set([
  'Busy',
  'NoAnswer',
  'Rejected',
  'Finished',
  'GenericError',
  'InternationalDisabled',
]);

/** Whether the goal is reached, or can no longer be reached (CLIENT-19). */
export function isOver({ status }: Pick<RingOut, 'status'>, goal: RingOutGoal): boolean {
  const { callStatus, callerStatus, calleeStatus } = status;
  const legs = [callerStatus, calleeStatus];
  if (legs.includes('NoSessionFound')) return true;
  if (callStatus === 'Unknown') {
    return legs.every((leg) => ended.has(leg) || (goal === 'connected' && leg === 'Success'));
  }
  if (goal === 'connected') return callStatus !== 'InProgress';
  return callStatus !== 'InProgress' && legs.every((leg) => leg !== 'InProgress' && leg !== 'Success');
}

/** Whether the parties were connected; without a call status, both legs must have been answered. */
export function wasConnected({ status }: Pick<RingOut, 'status'>): boolean {
  const { callStatus, callerStatus, calleeStatus } = status;
  if (callStatus !== 'Unknown') return callStatus === 'Success';
  return [callerStatus, calleeStatus].every((leg) => leg === 'Success' || leg === 'Finished');
}
