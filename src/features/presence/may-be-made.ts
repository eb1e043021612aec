import { CommandError, Exit, messageOf } from '../../errors/command.ts';
import { ApiError, ConnectionError, isAmbiguousStatus, ReplyError } from '../../errors/service.ts';

/** Whether a change that failed with this error may have been made. */
export function mayBeMade(error: unknown): error is ApiError | ReplyError | ConnectionError {
  if (error instanceof ConnectionError) return error.reached === 'unknown';
  return error instanceof ReplyError
    ? error.mayBeDone
    : error instanceof ApiError && isAmbiguousStatus(error.status);
}

/**
 * Returns the error for a change without a confirmation that is not in effect. Reading back does not prove that the
 * change failed: the service or a gateway may still be processing the request.
 */
export function unconfirmed(
  cause: Error,
  { details = [], hint }: { readonly details?: readonly string[]; readonly hint: CommandError['hint'] },
): CommandError {
  return new CommandError(
    'outcome_unknown',
    Exit.outcomeUnknown,
    `No reply confirms the change, and it is not in effect, but the service may still make it: ${messageOf(cause)}`,
    { details, hint, cause },
  );
}
