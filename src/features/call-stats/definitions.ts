/** Definitions of the figures of a report, with the time limit of the service level in seconds. */
export function definitionList(serviceLevelSeconds: number): readonly (readonly [string, string])[] {
  return [
    [
      'Call',
      'One session of the call log, even if it rang at several agents. If a queue took part, the result is that of the queue.',
    ],
    ['Answered', 'Calls that somebody answered.'],
    ['Missed', 'Inbound calls that nobody answered, and calls that were busy, rejected or declined.'],
    ['Abandoned', 'Inbound calls whose caller hung up before an answer.'],
    ['Voicemail', 'Calls that ended in voicemail.'],
    ['Unanswered', 'Outbound calls without an answer.'],
    ['Other', 'Calls in progress, and calls with any other result, such as blocked calls.'],
    ['Talk time', 'Time from the start of the answered part of the call to its end.'],
    [
      'Service level',
      `Share of queue calls that were answered within ${serviceLevelSeconds} s. Callers who hung up within ${serviceLevelSeconds} s do not count.`,
    ],
    [
      'Missed rings',
      'Number of times that a call of a queue rang at the agent and the agent did not answer.',
    ],
    [
      'Calls by result',
      'Results as the call log states them, for example No Answer of a missed or unanswered call.',
    ],
  ];
}
