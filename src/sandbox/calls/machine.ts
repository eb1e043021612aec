import type { CallStatus, LegStatus } from '../../contract/enums.ts';

/** The statuses that may follow each status of a leg (RINGOUT-29). */
const legMoves: Readonly<Record<LegStatus, readonly LegStatus[]>> = {
  InProgress: ['Success', 'Busy', 'NoAnswer', 'Rejected', 'GenericError', 'InternationalDisabled', 'Invalid'],
  Success: ['Finished'],
  Finished: [],
  Busy: [],
  NoAnswer: [],
  Rejected: [],
  GenericError: [],
  InternationalDisabled: [],
  Invalid: [],
  // This status is never stored. Only replies about an ended session contain it.
  NoSessionFound: [],
};

/** The status Success is final and does not change when the call ends. */
const callMoves: Readonly<Record<CallStatus, readonly CallStatus[]>> = {
  InProgress: ['Success', 'CannotReach', 'NoAnsweringMachine'],
  Success: [],
  CannotReach: [],
  NoAnsweringMachine: [],
};

/**
 * Checks a change of a leg's status. @throws {RangeError} for an impossible change, which is a bug of the sandbox; the
 * transaction is rolled back.
 */
export function nextLegStatus(from: LegStatus, to: LegStatus): LegStatus {
  if (legMoves[from].includes(to)) return to;
  throw new RangeError(`a call leg in the state ${from} cannot change to ${to}`);
}

/** Checks a change of a call's status. @throws {RangeError} for an impossible change. */
export function nextCallStatus(from: CallStatus, to: CallStatus): CallStatus {
  if (callMoves[from].includes(to)) return to;
  throw new RangeError(`a call in the state ${from} cannot change to ${to}`);
}
