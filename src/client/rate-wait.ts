/** Longest wait of one request for rate limits, unless told otherwise: room for one longest Retry-After. */
export const defaultMaxWaitMilliseconds = 125_000;
/** A longer Retry-After is asked again after this time: services have sent nonsense (N9 of the reliability notes). */
const longestSeconds = 120;
const secondsWithoutHeader = 60;

/** Milliseconds after which a request that was refused with a 429 may go out again. */
export function waitAfterRefusal(retryAfterSeconds: number | undefined): number {
  const asked = Math.min(retryAfterSeconds ?? secondsWithoutHeader, longestSeconds);
  // At least a second: an answer of 0 or less must not become a loop.
  return Math.max(1, asked) * 1000;
}

/** What waits have on top of what the service asked for, because clocks differ: it must not make `--max-wait 60s` refuse a wait of 60 s. */
const slackMilliseconds = 500;

/** Whether all waits of one request together are longer than they may be. */
export function isTooLong(milliseconds: number, longestMilliseconds: number): boolean {
  return milliseconds > longestMilliseconds + slackMilliseconds;
}
