import { CommandError } from '../../runtime/errors.ts';

/** Whether the same may go well later: the service was not reached or failed, the disk was full, another run had the copy. */
export function passesAway(error: unknown): boolean {
  if (error instanceof CommandError) return error.retryable;
  if (!(error instanceof Error)) return false;
  // Told by name: the client is not loaded here.
  if (['ConnectionError', 'RateLimitError', 'ReplyError'].includes(error.name)) return true;
  return error.name === 'ApiError' && ((error as { readonly status?: number }).status ?? 0) >= 500;
}
