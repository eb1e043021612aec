import { dayMilliseconds } from '../../platform/day.ts';

/** A time range in milliseconds since 1970; an end that was not given is undefined. */
export interface Period {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** Milliseconds: the time range that the service returns for a request without dates (CALL-13). */
const defaultPeriod = dayMilliseconds;
/**
 * Maximum milliseconds between the records of a call at an end of the period. The records of agents start when their
 * phones ring, so the records of one call can be on both sides of an end.
 */
const aroundMilliseconds = 3_600_000;

/** Returns a period with its start if only its end was given. */
export function withStart({ from, to }: Period): Period {
  return { from: from ?? (to === undefined ? undefined : to - defaultPeriod), to };
}

/**
 * Returns the time range of the records to read for the calls that started in a period. @param now the current time in
 * milliseconds since 1970
 */
export function rangeAround({ from, to }: Period, now: number): Period {
  return {
    from: from === undefined ? undefined : from - aroundMilliseconds,
    to: to === undefined ? undefined : Math.max(to, Math.min(now, to + aroundMilliseconds)),
  };
}

/** Whether a call started in a period. The end belongs to the next period. A call without a time is in every period. */
export function isIn({ from, to }: Period, start: number): boolean {
  return !(start < (from ?? Number.NEGATIVE_INFINITY) || start >= (to ?? Number.POSITIVE_INFINITY));
}
