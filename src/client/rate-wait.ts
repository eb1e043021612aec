import { ConnectionError } from '../errors/service.ts';
import { longestPenaltySeconds } from '../platform/rate-bounds.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** Default limit for the total time that one request waits for rate limits: two penalties of the service. */
export const defaultMaxWaitMilliseconds = 125_000;
const secondsWithoutHeader = 60;

/** Milliseconds after which a request may be retried after a 429. */
export function waitAfter429(retryAfterSeconds: number | undefined): number {
  const asked = Math.min(retryAfterSeconds ?? secondsWithoutHeader, longestPenaltySeconds);
  // The wait is at least one second, so that Retry-After: 0 does not cause a busy loop.
  return Math.max(1, asked) * 1000;
}

/**
 * Waits are slightly longer than requested, because clocks differ. With `--max-wait 60s` a wait of 60 s must still be
 * allowed.
 */
const slackMilliseconds = 500;

/** Whether the total wait of one request exceeds its maximum. */
export function isTooLong(milliseconds: number, longestMilliseconds: number): boolean {
  return milliseconds > longestMilliseconds + slackMilliseconds;
}

/** Updates the budget after a request without a reply. A request that was not sent does not count. */
export async function endWithoutReply(
  budget: RateLimiter,
  group: string,
  error: unknown,
  now: number,
): Promise<void> {
  const isUnsent = error instanceof ConnectionError && error.reached === 'no';
  if (!isUnsent) return budget.release(group);
  // If the shared budget cannot be changed, the request counts.
  await budget.giveBack(group, now).catch(() => undefined);
}
