import { timeOfDay } from '../../platform/moment.ts';
import type { RingOut } from '../../contract/ringout.ts';
import type { View } from '../../runtime/output.ts';
import { explainCall } from './words.ts';

/** A two-legged call at one moment, flat. */
export interface RingOutState {
  readonly id: number | string;
  readonly callStatus: string;
  readonly callerStatus: string;
  readonly calleeStatus: string;
  readonly explanation: string;
  /** ISO 8601; when it was seen so. */
  readonly time: string;
  readonly uri: string;
}

/** How a call stands, explained; `now` is milliseconds since 1970. */
export function toState(call: RingOut, now: number): RingOutState {
  const { callStatus, callerStatus, calleeStatus } = call.status;
  return {
    id: call.id,
    callStatus,
    callerStatus,
    calleeStatus,
    explanation: explainCall(call),
    time: new Date(now).toISOString(),
    uri: call.uri,
  };
}

export const ringOutView: View<RingOutState> = {
  columns: [
    { key: 'id', title: 'ID', kind: 'id', value: (row) => row.id, priority: 4 },
    { key: 'callStatus', title: 'CALL', kind: 'status', value: (row) => row.callStatus, priority: 5 },
    { key: 'callerStatus', title: 'CALLER', kind: 'status', value: (row) => row.callerStatus, priority: 5 },
    { key: 'calleeStatus', title: 'CALLEE', kind: 'status', value: (row) => row.calleeStatus, priority: 5 },
    { key: 'explanation', title: 'EXPLANATION', value: (row) => row.explanation, priority: 2 },
  ],
  line: (row, zone) =>
    `${timeOfDay(row.time, zone)}  call ${row.callStatus}  caller ${row.callerStatus}  callee ${row.calleeStatus}`,
};
