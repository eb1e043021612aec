/**
 * What the client's errors say, told apart by their names: features and handlers know the client's types only, so that reporting an error loads
 * nothing.
 */

/** An answer of the service that says no. */
export interface ServiceRefusal extends Error {
  /** HTTP status. */
  readonly status: number;
  /** The service's code: docs/spec/errors.md. */
  readonly code?: string;
}

/** A request that must not be sent twice may have been done. */
export interface OutcomeUnknown extends Error {
  /** `no answer came`, or what came in its place. */
  readonly why: string;
}

/** Whether the service answered, and said no. */
export function isRefusal(error: unknown): error is ServiceRefusal {
  return error instanceof Error && error.name === 'ApiError';
}

/** Whether the service said no with this HTTP status. */
export function isRefusedWith(error: unknown, status: number): error is ServiceRefusal {
  return isRefusal(error) && error.status === status;
}

/** Whether a change that can be repeated got a reply that does not show whether it was made. */
export function mayBeDone(error: unknown): error is Error {
  return (
    error instanceof Error && error.name === 'ReplyError' && 'mayBeDone' in error && error.mayBeDone === true
  );
}

/** Whether a request that must not be sent twice may have been done. */
export function isOutcomeUnknown(error: unknown): error is OutcomeUnknown {
  return error instanceof Error && error.name === 'OutcomeUnknownError';
}
