import { ApiError, ConnectionError, isAmbiguousStatus, isUnsupportedStatus } from '../errors/service.ts';

/**
 * When a request may be retried. `always` is for idempotent requests. `unsent` allows a retry only if the service
 * certainly did not process the request.
 */
export type Resend = 'always' | 'unsent';

/** The number of a retry, starting at 1, and the maximum number of retries of its request. */
export interface RetryNumber {
  readonly number: number;
  readonly limit: number;
}

export interface RetryLimits {
  /** Maximum number of retries; waits for a rate limit do not count. */
  readonly retries: number;
  /** Whether to retry an `unsent` request also after a 503 with Retry-After. Never true for a DELETE of messages. */
  readonly resendAfter503: boolean;
}

/** Maximum number of retries of an `unsent` request. */
const unsentRetries = 3;
const firstCapMilliseconds = 500;
const lastCapMilliseconds = 20_000;
/** Maximum time to wait for the Retry-After of a 503. */
const longest503Milliseconds = 60_000;

/** The next retry of a request. */
interface NextRetry {
  /** Time to wait before the retry. */
  readonly milliseconds: number;
  readonly retry: RetryNumber;
}

/**
 * Returns the next retry; undefined if the request must not be retried.
 * @param tries number of retries so far.
 * @param random a number from 0 up to, not including, 1.
 */
export function nextRetry(
  error: unknown,
  resend: Resend,
  tries: number,
  limits: RetryLimits,
  random: () => number,
): NextRetry | undefined {
  const limit = resend === 'always' ? limits.retries : Math.min(limits.retries, unsentRetries);
  if (tries >= limit || !isTransient(error, resend, limits)) return undefined;
  const jitter = random() * Math.min(lastCapMilliseconds, firstCapMilliseconds * 2 ** tries);
  const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  const milliseconds = Math.max(jitter, Math.min(asked, longest503Milliseconds));
  return { milliseconds, retry: { number: tries + 1, limit } };
}

/** A transient server error. An unknown status, such as that of a proxy, counts as 500 (RFC 9110, 15). */
function isTransientStatus(status: number): boolean {
  return status >= 500 && !isUnsupportedStatus(status);
}

function isTransient(error: unknown, resend: Resend, limits: RetryLimits): boolean {
  if (error instanceof ConnectionError) {
    if (error.isCertificateFault || error.code === 'UND_ERR_INVALID_ARG') return false;
    return error.reached === 'no' || resend === 'always';
  }
  if (!(error instanceof ApiError)) return false;
  if (resend === 'always') return error.status === 408 || isTransientStatus(error.status);
  return error.status === 503 && limits.resendAfter503 && error.retryAfterSeconds !== undefined;
}

/**
 * Whether the service may have processed the request in spite of this error. Also true for the unsupported statuses: a
 * gateway can send them, and a message that is sent twice is worse than an unknown outcome.
 */
export function mayBeDone(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.reached === 'unknown';
  if (error instanceof ApiError) return isAmbiguousStatus(error.status) || isUnsupportedStatus(error.status);
  // There was not enough memory to open a connection.
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  return !(code === 'ENOMEM' && syscall === 'mmap');
}
