import { CommandError, Exit, messageOf } from '../errors/command.ts';
import type { Hint } from '../errors/hint.ts';
import {
  ApiError,
  ConnectionError,
  isAmbiguousStatus,
  OutcomeUnknownError,
  ReplyError,
} from '../errors/service.ts';

/** A change, and how to verify it. */
export interface VerifiedChange<T> {
  readonly change: () => Promise<unknown>;
  /** Reads the present state. */
  readonly read: () => Promise<T>;
  readonly isMade: (found: T) => boolean;
  /** Returns the differences from the requested state, for the error. */
  readonly differences?: (found: T) => readonly string[];
  /** The command that shows the present state. */
  readonly hint: Hint;
}

/**
 * Makes a change and verifies it by reading it back. @returns the state that was read.
 * @throws {CommandError} `not_in_effect` if the service confirmed the change, but the state is not as requested;
 * `outcome_unknown` if no reply confirms the change and reading back does not show it, if it cannot be read back, or if
 * Ctrl-C ended the change or the reading.
 */
export async function confirmedChange<T>(verified: VerifiedChange<T>): Promise<T> {
  const { change, read, isMade, differences = () => [], hint } = verified;
  const failure = await change().then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof OutcomeUnknownError) throw interruptedChange(error, hint);
      if (!mayBeMade(error)) throw error;
      return error;
    },
  );
  const found = await read().catch((error: unknown) => {
    throw notReadBack(failure, error, hint);
  });
  if (isMade(found)) return found;
  const details = differences(found);
  throw failure ? unconfirmed(failure, details, hint) : notInEffect(details, hint);
}

/** Returns whether a change that failed with this error may have been made. */
export function mayBeMade(error: unknown): error is ApiError | ReplyError | ConnectionError {
  if (error instanceof ConnectionError) return error.reached === 'unknown';
  return error instanceof ReplyError
    ? error.mayBeDone
    : error instanceof ApiError && isAmbiguousStatus(error.status);
}

/**
 * Returns the error (exit 14) for a change whose result cannot be read.
 * @param failure the error of the change, if no reply confirms it
 * @param cause why the result cannot be read
 */
export function notReadBack(failure: Error | undefined, cause: unknown, hint: Hint): Error {
  // This error says that the service may have made the change.
  if (failure instanceof ReplyError) return failure;
  const what = failure
    ? `No reply confirms the change (${messageOf(failure)}), and`
    : 'The service accepted the change, but';
  return new CommandError(
    'outcome_unknown',
    Exit.outcomeUnknown,
    `${what} ucctl could not read it back: ${messageOf(cause)}`,
    { hint, cause },
  );
}

/** The state is not read back after Ctrl-C, so that the run ends at once. */
function interruptedChange(cause: OutcomeUnknownError, hint: Hint): CommandError {
  const message = `interrupted: the service may have made the change (${cause.why})`;
  return new CommandError('outcome_unknown', Exit.outcomeUnknown, message, { hint, cause });
}

/**
 * Returns the error (exit 14) for a change that no reply confirms and that is not in effect. Reading back does not prove
 * that the change failed: the service or a gateway may still be processing the request.
 */
export function unconfirmed(cause: Error, details: readonly string[], hint: Hint): CommandError {
  return new CommandError(
    'outcome_unknown',
    Exit.outcomeUnknown,
    `No reply confirms the change, and it is not in effect, but the service may still make it: ${messageOf(cause)}`,
    { details, hint, cause },
  );
}

function notInEffect(details: readonly string[], hint: Hint): CommandError {
  const message = 'The service accepted the change, but it did not take effect.';
  return new CommandError('not_in_effect', Exit.failed, message, { details, hint });
}
