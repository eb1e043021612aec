import { CommandError } from '../../errors/command.ts';
import { ApiError, ConnectionError, RateLimitError, ReplyError } from '../../errors/service.ts';

/** Whether a later try may succeed: the service was not reached or failed, the disk was full, another run had the copy. */
export function passesAway(error: unknown): boolean {
  if (error instanceof CommandError) return error.retryable;
  if (error instanceof ApiError) return error.status >= 500;
  return error instanceof ConnectionError || error instanceof RateLimitError || error instanceof ReplyError;
}
