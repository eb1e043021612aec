import type { RingOut } from '../../contract/ringout.ts';

const calls: Readonly<Record<string, string>> = {
  InProgress: 'being connected',
  Success: 'both sides were connected',
  CannotReach: 'one or both sides could not be reached',
  NoAnsweringMachine: 'the service itself failed',
};

const legs: Readonly<Record<string, string>> = {
  InProgress: 'rings',
  Busy: 'is busy',
  NoAnswer: 'did not answer in time',
  Rejected: 'was cancelled, or refused the call',
  Success: 'has answered',
  Finished: 'has hung up',
  GenericError: 'failed in the telephone network',
  InternationalDisabled: 'is not allowed: calls of this kind (abroad, domestic or internal) are disabled',
  NoSessionFound: 'is over: the service does not know the call any more',
  Invalid: 'is in an unknown state after a failure inside the service',
};

/** Text for each callStatus (RINGOUT-15 to RINGOUT-18). */
function callWords(status: string): string {
  return calls[status] ?? status;
}

/** What a callerStatus or calleeStatus says, to follow the name of that side. */
function legWords(status: string): string {
  return legs[status] ?? `is ${status}`;
}

/** The whole call in a sentence. */
export function explainCall({ status }: Pick<RingOut, 'status'>): string {
  const { callerStatus, calleeStatus } = status;
  // The other side is rung only when the first has answered.
  const waits = callerStatus === 'InProgress' && calleeStatus === 'InProgress';
  const callee = waits ? 'is called next' : legWords(calleeStatus);
  const sides = `caller ${legWords(callerStatus)}, callee ${callee}`;
  return `${callWords(status.callStatus)}: ${sides}`;
}
