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

/**
 * Returns why a record with the content of the outcome does not match: the limit of `underWay` that its time exceeds.
 * Undefined if the record was created while the request was under way, or has no time.
 * @param what the record, such as "message"
 */
export function exceededLimit(
  outcome: Outcome,
  what: string,
  created: number,
  skew: number,
): string | undefined {
  const { startedAt, endedAt } = outcome;
  const [start, end] = underWay(outcome, skew);
  const text = (when: string, limit: string): string =>
    `the service created the ${what} about ${when}, and a match is created at most ${limit}`;
  const at = created - skew;
  const error = seconds(clockErrorMilliseconds);
  if (created < start)
    return text(`${seconds(startedAt - at)} before this request started`, `${error} before the start`);
  if (!(created > end)) return undefined;
  if (endedAt !== undefined && end === endedAt + clockErrorMilliseconds + skew)
    return text(`${seconds(at - endedAt)} after this request ended`, `${error} after the end`);
  const limit = seconds(processedMilliseconds);
  return text(`${seconds(at - startedAt)} after this request started`, `${limit} after the start`);
}

/** Rounds up, so that a time that exceeds a limit never looks equal to the limit. */
function seconds(milliseconds: number): string {
  return `${Math.ceil(milliseconds / 100) / 10} s`;
}
