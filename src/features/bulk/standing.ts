import type { JournalItem } from './journal.ts';

/** Where a change stands, in words for people: `not made` was tried and is to be tried again, `not sent` was never tried. */
export type Standing = 'ok' | 'failed' | 'unknown' | 'not made' | 'not sent';

/** Where a row of the journal stands. */
export function standingOf({
  status,
  attempts,
}: Pick<JournalItem<unknown>, 'status' | 'attempts'>): Standing {
  if (status === 'planned') return attempts > 0 ? 'not made' : 'not sent';
  // Its answer was never judged: a later process reads it back.
  return status === 'sent' ? 'unknown' : status;
}
