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
  // Nobody's status: what a closed session is answered with.
  NoSessionFound: [],
};

/** A connected call stays a success when it ends. */
const callMoves: Readonly<Record<CallStatus, readonly CallStatus[]>> = {
  InProgress: ['Success', 'CannotReach', 'NoAnsweringMachine'],
  Success: [],
  CannotReach: [],
  NoAnsweringMachine: [],
};

/** @throws {RangeError} when a leg cannot go from one status to the other: a bug of ours, which rolls the change back. */
export function nextLegStatus(from: LegStatus, to: LegStatus): LegStatus {
  if (legMoves[from].includes(to)) return to;
  throw new RangeError(`a leg that is ${from} cannot become ${to}`);
}

/** @throws {RangeError} when a call cannot go from one status to the other. */
export function nextCallStatus(from: CallStatus, to: CallStatus): CallStatus {
  if (callMoves[from].includes(to)) return to;
  throw new RangeError(`a call that is ${from} cannot become ${to}`);
}
