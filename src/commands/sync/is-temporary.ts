import { CommandError } from '../../errors/command.ts';
import { StoreError } from '../../platform/store-error.ts';
import { ApiError, ConnectionError, RateLimitError, ReplyError } from '../../errors/service.ts';
import { isFinalRejection } from '../../errors/service-codes.ts';

/**
 * Returns whether a later attempt may succeed: the service or the store was unreachable or failed, another server such
 * as a sign-in page answered, the disk was full, or another run was using the local mailbox copy.
 */
export function isTemporary(error: unknown): boolean {
  if (error instanceof CommandError || error instanceof StoreError) return error.retryable;
  if (error instanceof ApiError) return !isFinalRejection(error);
  return error instanceof ConnectionError || error instanceof RateLimitError || error instanceof ReplyError;
}
