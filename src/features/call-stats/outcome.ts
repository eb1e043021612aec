import { unfinishedCallResults } from '../../contract/enums.ts';

/** The outcome of a call in the statistics. */
export type CallOutcome = 'answered' | 'missed' | 'abandoned' | 'voicemail' | 'unanswered' | 'other';

const answered = new Set(['Accepted', 'Call connected', 'Reply']);
const missed = new Set(['Missed', 'No Answer', 'Busy', 'Rejected', 'Declined']);
const abandoned = new Set(['Abandoned', 'Hang Up']);

/**
 * Returns the outcome of a call with this direction and result in the log (CALL-21). An outbound call without an answer
 * is `unanswered`. A missing result, and a result that is not listed, is `other`.
 */
export function outcomeOf(direction: string | undefined, result: string | undefined): CallOutcome {
  if (result === undefined) return 'other';
  if (answered.has(result)) return 'answered';
  if (result === 'Voicemail') return 'voicemail';
  if (unfinishedCallResults.includes(result)) return 'other';
  if (direction === 'Outbound') return 'unanswered';
  if (missed.has(result)) return 'missed';
  return abandoned.has(result) ? 'abandoned' : 'other';
}
