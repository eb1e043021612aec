import { ApiError, ConnectionError } from '../errors/service.ts';

/**
 * When a request may go out a second time. `always`: it reads, or says how a thing shall be, so doing it twice is doing it once. `unsent`: only
 * when the service surely did not take it.
 */
export type Resend = 'always' | 'unsent';

export interface RetryLimits {
  /** Further tries after the first; the waits for a rate limit do not count. */
  readonly retries: number;
  /** Also sends an `unsent` request again after a 503 that names a Retry-After. */
  readonly resendAfter503: boolean;
}

/** Further tries of a request that must not be done twice, however many are allowed. */
const unsentRetries = 3;
const firstCapMilliseconds = 500;
const lastCapMilliseconds = 20_000;
/** Failures of the service that are the same next time: it does not know how. */
const incapable = new Set([501, 505]);
/**
 * Failures that are not repeated, but after which the request may have been processed: a gateway answers 408 and 499 when it gave up waiting, 501 and
 * 505 also for requests that the server behind it has processed.
 */
const ambiguousRejections = new Set([408, 499, 501, 505]);
/** Longest Retry-After of a 503 that is waited for. */
const longest503Milliseconds = 60_000;

/**
 * Milliseconds to wait before the request goes out again; undefined when it must not.
 * @param tries how often it was sent again already. @param random from 0 up to 1.
 */
export function retryDelay(
  error: unknown,
  resend: Resend,
  tries: number,
  limits: RetryLimits,
  random: () => number,
): number | undefined {
  const allowed = resend === 'always' ? limits.retries : Math.min(limits.retries, unsentRetries);
  if (tries >= allowed || !isPassing(error, resend, limits)) return undefined;
  const jitter = random() * Math.min(lastCapMilliseconds, firstCapMilliseconds * 2 ** tries);
  const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  return Math.max(jitter, Math.min(asked, longest503Milliseconds));
}

/** A failure in passing, after which nobody knows what was done. A code that is not known counts as 500 (RFC 9110, 15): proxies on the way have their own. */
function isAmbiguous(status: number): boolean {
  return status >= 500 && !incapable.has(status);
}

function isPassing(error: unknown, resend: Resend, limits: RetryLimits): boolean {
  if (error instanceof ConnectionError) {
    if (error.isCertificateFault || error.code === 'UND_ERR_INVALID_ARG') return false;
    return error.reached === 'no' || resend === 'always';
  }
  if (!(error instanceof ApiError)) return false;
  if (resend === 'always') return error.status === 408 || isAmbiguous(error.status);
  return error.status === 503 && limits.resendAfter503 && error.retryAfterSeconds !== undefined;
}

/** Whether a request that failed so may have been done all the same. */
export function mayBeDone(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.reached === 'unknown';
  if (error instanceof ApiError) return isAmbiguous(error.status) || ambiguousRejections.has(error.status);
  return true;
}
