/** Definitions of the figures of a report, with the time limit of the service level in seconds. */
export function definitionList(serviceLevelSeconds: number): readonly (readonly [string, string])[] {
  return [
    [
      'Call',
      'One session in the call log, even if the phones of several agents rang. For a queue call, the record of the queue determines the result. A call belongs to the period in which it started.',
    ],
    [
      'Answered',
      'Calls that a person answered, and faxes that were sent or received completely, in both directions.',
    ],
    ['Missed', 'Inbound calls without an answer, and busy, rejected or declined calls.'],
    ['Abandoned', 'Inbound calls that the caller ended before anyone answered.'],
    ['Voicemail', 'Calls that ended in voicemail.'],
    ['Unanswered', 'Outbound calls without an answer, also if they were busy, rejected or ended early.'],
    [
      'Other',
      'Calls in progress, calls without an answer and without a direction in the log, and calls with any other result, such as blocked calls and failed faxes.',
    ],
    [
      'Talk time',
      'Time from the start of the answered call leg to the end of the call. For faxes, the time of the transmission.',
    ],
    [
      'Service level',
      `Share of queue calls answered within ${serviceLevelSeconds} s. Callers who hung up within ${serviceLevelSeconds} s do not count.`,
    ],
    [
      'Missed rings',
      "Number of times a queue rang the agent's phone and the agent did not answer. If one call rings the phone twice, both rings count.",
    ],
    ['Calls by result', 'Results from the call log, such as No Answer for an outbound call.'],
  ];
}
