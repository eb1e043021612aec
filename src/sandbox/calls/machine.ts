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
  // This status is never stored. Replies about a session that has ended contain it.
  NoSessionFound: [],
};

/** The status Success is final and does not change when the call ends. */
const callMoves: Readonly<Record<CallStatus, readonly CallStatus[]>> = {
  InProgress: ['Success', 'CannotReach', 'NoAnsweringMachine'],
  Success: [],
  CannotReach: [],
  NoAnsweringMachine: [],
};

/** @throws {RangeError} when a leg cannot change from one status to the other. This is a bug of the sandbox; the transaction is rolled back. */
export function nextLegStatus(from: LegStatus, to: LegStatus): LegStatus {
  if (legMoves[from].includes(to)) return to;
  throw new RangeError(`a leg that is ${from} cannot become ${to}`);
}

/** @throws {RangeError} when a call cannot change from one status to the other. */
export function nextCallStatus(from: CallStatus, to: CallStatus): CallStatus {
  if (callMoves[from].includes(to)) return to;
  throw new RangeError(`a call that is ${from} cannot become ${to}`);
}
