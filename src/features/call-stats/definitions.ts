/** Definitions of the figures of a report, with the time limit of the service level in seconds. */
export function definitionList(serviceLevelSeconds: number): readonly (readonly [string, string])[] {
  return [
    [
      'Call',
      "One session in the call log, even if several agents' phones rang. If a queue took part, the queue's record determines the result.",
    ],
    ['Answered', 'Answered calls.'],
    ['Missed', 'Inbound calls without an answer, and busy, rejected or declined calls.'],
    ['Abandoned', 'Inbound calls whose caller hung up before an answer.'],
    ['Voicemail', 'Calls that ended in voicemail.'],
    ['Unanswered', 'Outbound calls without an answer.'],
    ['Other', 'Calls in progress, and calls with any other result, such as blocked calls.'],
    ['Talk time', 'Time from the start of the answered call leg to the end of the call.'],
    [
      'Service level',
      `Share of queue calls answered within ${serviceLevelSeconds} s. Callers who hung up within ${serviceLevelSeconds} s do not count.`,
    ],
    ['Missed rings', 'Number of queue calls that rang at the agent without an answer.'],
    ['Calls by result', 'Call results as recorded in the call log, such as No Answer for a missed call.'],
  ];
}
