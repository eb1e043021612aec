/** The statuses of a change of a run that was not made, or may not have been made. */
export const unmadeStatuses = ['failed', 'unknown', 'not-made', 'not-sent'] as const;

/**
 * The status of a change of a run. `not-made` means that the request failed and can be retried, `not-sent` means that
 * there was no request.
 */
export const changeStatuses = ['ok', ...unmadeStatuses] as const;

export type ChangeStatus = (typeof changeStatuses)[number];

/** Returns the status of an item of the journal, as shown in output and files. */
export function changeStatusOf({
  status,
  attempts,
}: {
  readonly status: 'planned' | 'sent' | 'ok' | 'failed' | 'unknown';
  readonly attempts: number;
}): ChangeStatus {
  if (status === 'planned') return attempts > 0 ? 'not-made' : 'not-sent';
  // The run was interrupted before it recorded the reply; resuming it reads the item back.
  return status === 'sent' ? 'unknown' : status;
}
