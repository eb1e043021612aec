/** The outcome of a call in the statistics. */
export type CallOutcome = 'answered' | 'missed' | 'abandoned' | 'voicemail' | 'unanswered' | 'other';

/** Results of calls that a person answered, and of faxes that were sent or received completely. */
const answered = new Set(['Accepted', 'Call connected', 'Reply', 'Sent', 'Received']);
const missed = new Set(['Missed', 'No Answer', 'Busy', 'Rejected', 'Declined']);
const abandoned = new Set(['Abandoned', 'Hang Up']);

/**
 * Returns the outcome of a call with this direction and result in the log (CALL-21). An outbound call without an answer
 * is `unanswered`. A missing result, a result that is not listed, and a call without an answer and without a direction
 * is `other`.
 */
export function outcomeOf(direction: string | undefined, result: string | undefined): CallOutcome {
  if (result === undefined) return 'other';
  if (answered.has(result)) return 'answered';
  if (result === 'Voicemail') return 'voicemail';
  const isMissed = missed.has(result);
  if (!isMissed && !abandoned.has(result)) return 'other';
  if (direction === 'Outbound') return 'unanswered';
  if (direction !== 'Inbound') return 'other';
  return isMissed ? 'missed' : 'abandoned';
}
