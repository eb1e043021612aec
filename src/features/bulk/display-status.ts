import type { JournalItem } from './journal.ts';

/**
 * The status of a change for people. `not made` means that the request failed and can be retried, `not sent` means that
 * there was no request.
 */
export type DisplayStatus = 'ok' | 'failed' | 'unknown' | 'not made' | 'not sent';

/** Returns the display status of an item of the journal. */
export function displayStatusOf({
  status,
  attempts,
}: Pick<JournalItem<unknown>, 'status' | 'attempts'>): DisplayStatus {
  if (status === 'planned') return attempts > 0 ? 'not made' : 'not sent';
  // The run was interrupted before it recorded the reply; resuming it reads the item back.
  return status === 'sent' ? 'unknown' : status;
}
