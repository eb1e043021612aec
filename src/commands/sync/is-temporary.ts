import { CommandError } from '../../errors/command.ts';
import { ApiError, ConnectionError, RateLimitError, ReplyError } from '../../errors/service.ts';

/** Whether a later attempt may succeed: the service was unreachable or failed, the disk was full, or another run used the copy. */
export function isTemporary(error: unknown): boolean {
  if (error instanceof CommandError) return error.retryable;
  if (error instanceof ApiError) return error.status >= 500;
  return error instanceof ConnectionError || error instanceof RateLimitError || error instanceof ReplyError;
}
