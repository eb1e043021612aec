import { dayMilliseconds } from '../../platform/day.ts';

/**
 * Returns the filter for all calls of a telephony session, at any time. Without a start, the service searches only the
 * last day (CALL-13); it stores calls for 12 months (CALL-24).
 */
export function telephonySessionFilter(
  telephonySessionId: string,
  now: number,
): { readonly telephonySessionId: string; readonly dateFrom: string } {
  return { telephonySessionId, dateFrom: new Date(now - 366 * dayMilliseconds).toISOString() };
}
