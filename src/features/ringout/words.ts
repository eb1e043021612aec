import type { RingOut } from '../../contract/ringout.ts';
import { lookupTable } from '../../platform/lookup-table.ts';

const calls: Readonly<Record<string, string>> = lookupTable({
  InProgress: 'being connected',
  Success: 'both parties were connected',
  CannotReach: 'one party or both parties could not be reached',
  NoAnsweringMachine: 'the service failed',
  // Dialect `current` (RINGOUT-32). The documents of the service do not explain these statuses.
  RingOutFromThisNumberIsNotSupported: 'the service does not place calls from this number',
  DestinationBlocked: 'calls to this number are blocked',
  NotEnoughFunds: 'the account has too little credit',
  NosuchUser: 'the service does not know the user',
  Error: 'the service reported an error',
  Unknown: 'the status is unknown',
});

const legs: Readonly<Record<string, string>> = lookupTable({
  InProgress: 'rings',
  Busy: 'is busy',
  NoAnswer: 'did not answer in time',
  Rejected: 'was canceled or rejected the call',
  Success: 'has answered',
  Finished: 'has hung up',
  GenericError: 'failed in the phone network',
  InternationalDisabled: 'is not allowed: this call type (international, domestic or internal) is disabled',
  NoSessionFound: 'has ended: the service no longer stores the call',
  Invalid: 'is in an unknown state after a failure inside the service',
  // Dialect `current` also reports the statuses of the call for a leg.
  CannotReach: 'could not be reached',
  NoAnsweringMachine: 'failed inside the service',
  RingOutFromThisNumberIsNotSupported: 'has a number from which the service does not place calls',
  DestinationBlocked: 'has a blocked number',
  NotEnoughFunds: 'was not called, because the account has too little credit',
  NosuchUser: 'is not known to the service',
  Error: 'failed with an error of the service',
  Unknown: 'has an unknown status',
});

/** Returns the text for each callStatus (RINGOUT-15 to RINGOUT-18). */
function callWords(status: string): string {
  return calls[status] ?? status;
}

/** Returns the text for a callerStatus or calleeStatus, which follows the word `caller` or `callee` in a sentence. */
function legWords(status: string): string {
  return legs[status] ?? `is ${status}`;
}

/** Returns the status of a call in one sentence. */
export function explainCall({ status }: Pick<RingOut, 'status'>): string {
  const { callerStatus, calleeStatus } = status;
  // The callee's phone rings only after the caller has answered.
  const waits = callerStatus === 'InProgress' && calleeStatus === 'InProgress';
  const callee = waits ? 'is called next' : legWords(calleeStatus);
  const sides = `caller ${legWords(callerStatus)}, callee ${callee}`;
  return `${callWords(status.callStatus)}: ${sides}`;
}
