import { ApiError, isAmbiguousStatus, ReplyError } from '../../errors/service.ts';

/** Whether a change that failed with this error may have been made. */
export function mayBeMade(error: unknown): error is ApiError | ReplyError {
  return error instanceof ReplyError
    ? error.mayBeDone
    : error instanceof ApiError && isAmbiguousStatus(error.status);
}
