import type { Outcome } from './outcome.ts';

/** Error of the clock comparison in milliseconds, because the Date header has a resolution of one second. */
const clockErrorMilliseconds = 600;
/**
 * Maximum time in milliseconds from the start of a request to the creation of its message, however long the reply
 * takes. A later message may be from another machine of the same user.
 */
const processedMilliseconds = 2000;

/**
 * Period in which a record that certainly belongs to the outcome was created: while the request was under way. If it is
 * unknown whether the request arrived, the period ends shortly after its start.
 */
export function underWay({ state, startedAt, endedAt }: Outcome, skew: number): readonly [number, number] {
  const end = (endedAt ?? Number.POSITIVE_INFINITY) + clockErrorMilliseconds;
  const last = state === 'sent' ? end : Math.min(end, startedAt + processedMilliseconds);
  return [startedAt + skew - clockErrorMilliseconds, last + skew];
}
