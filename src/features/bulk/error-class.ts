import {
  ApiError,
  ConnectionError,
  isAmbiguousStatus,
  isRejectedWith,
  OutcomeUnknownError,
  RateLimitError,
  ReplyError,
  SignInRequiredError,
  UntrustedHostError,
} from '../../errors/service.ts';
import { hasNoCode } from '../../errors/service-codes.ts';
import type { Receipt } from './journal.ts';

/**
 * The meaning of an error for the items of a request.
 * - `rejected`: the service processed the request and rejected it because of at least one item.
 * - `unknown`: the service may have made the changes.
 * - `stopped`: the service made no change, and the next request would fail too: no permission, session or
 * connection, or the rate limit.
 */
export type ErrorClass = 'rejected' | 'unknown' | 'stopped';

const rejectionStatuses = new Set([400, 404, 409, 413, 422]);

/**
 * Classifies the error of a request. A 403 for a single item is a rejection, because the other items may still be
 * allowed.
 * @param items number of items in the request
 */
export function classifyError(error: unknown, items: number): ErrorClass {
  if (!(error instanceof Error)) return 'unknown';
  if (error instanceof ApiError) {
    const { status } = error;
    if (isOfGateway(error)) return 'stopped';
    if (rejectionStatuses.has(status) || (status === 403 && items === 1)) return 'rejected';
    return isAmbiguousStatus(status) ? 'unknown' : 'stopped';
  }
  if (error instanceof ConnectionError) return error.reached === 'no' ? 'stopped' : 'unknown';
  return error instanceof OutcomeUnknownError || error instanceof ReplyError ? 'unknown' : 'stopped';
}

/**
 * Whether a rejection comes from another server, such as the sign-in page of a network: it has no code of the service, so
 * it concerns all requests. With 413, a gateway rejects a single request that is too large.
 */
function isOfGateway(error: ApiError): boolean {
  return hasNoCode(error) && !isAmbiguousStatus(error.status) && error.status !== 413;
}

/** Returns the code of a 403, which may concern one item or all items; undefined for any other error. */
export function permissionErrorCode(error: unknown): string | undefined {
  return isRejectedWith(error, 403) ? error.code : undefined;
}

/** Returns the part of an error that the journal and the results file record. */
export function receiptOfError(error: unknown): Receipt {
  if (!(error instanceof Error)) return { code: 'unknown', message: String(error) };
  return {
    code: codeOf(error),
    message: error.message,
    requestId: error instanceof ApiError ? error.requestId : undefined,
  };
}

/** The codes of errors in the output of ucctl, for errors without a code of their own. */
const codes: readonly (readonly [abstract new (...args: never[]) => Error, string])[] = [
  [RateLimitError, 'rate_limited'],
  [OutcomeUnknownError, 'outcome_unknown'],
  [SignInRequiredError, 'sign_in_required'],
  [UntrustedHostError, 'untrusted_host'],
];

function codeOf(error: Error): string {
  if (error instanceof ReplyError) return error.mayBeDone ? 'outcome_unknown' : 'bad_reply';
  // Errors of Node and of SQLite have a code, too.
  if ('code' in error && typeof error.code === 'string') return error.code;
  return codes.find(([type]) => error instanceof type)?.[1] ?? error.name;
}
