import type { RingOut } from '../../contract/ringout.ts';
import { timeOfDay } from '../../platform/moment.ts';
import type { View } from '../../runtime/output.ts';
import { ringOutRows, type RingOutState } from './state.rows.ts';
import { explainCall } from './words.ts';

export type { RingOutState } from './state.rows.ts';

export const ringOutView: View<RingOutState> = {
  ...ringOutRows.list,
  line: (row, zone) =>
    `${timeOfDay(row.time, zone)}  call ${row.callStatus}  caller ${row.callerStatus}  callee ${row.calleeStatus}`,
};

/** Returns the state of a call at `now`, in milliseconds since 1970. */
export function toState(call: RingOut, now: number): RingOutState {
  return ringOutRows.row({}, { call, explanation: explainCall(call), now });
}
