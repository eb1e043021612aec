/** Seconds for which a stream must recognize events, because the service retries a notification for a day. */
export const leastRetention = 2 * 86_400;
