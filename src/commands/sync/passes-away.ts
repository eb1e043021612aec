import { CommandError } from '../../runtime/errors.ts';
import { isRefusal } from '../../runtime/service-errors.ts';

/** Whether the same may go well later: the service was not reached or failed, the disk was full, another run had the copy. */
export function passesAway(error: unknown): boolean {
  if (error instanceof CommandError) return error.retryable;
  if (!(error instanceof Error)) return false;
  if (['ConnectionError', 'RateLimitError', 'ReplyError'].includes(error.name)) return true;
  return isRefusal(error) && error.status >= 500;
}
