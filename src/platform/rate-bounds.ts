/**
 * Longest time in seconds without requests after one rejection of the service. Services have sent wrong values, which
 * must not block ucctl for days.
 */
export const longestPenaltySeconds = 3600;

/** Milliseconds; longer than any rate-limit window of the service. */
export const longestWindowMilliseconds = 600_000;
