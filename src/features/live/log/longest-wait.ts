/**
 * Milliseconds for which no event waits for a retry or for the end of a lease. A later time comes from a clock that was
 * ahead, and the event is due now. Otherwise, its extension would wait until this time.
 */
export const longestWaitMilliseconds = 660_000;
