import type { Outcome } from './journal.ts';

/**
 * Maximum difference in milliseconds between two conversions of the same time of a store. A renewal changes the start by
 * more (`confirmedMilliseconds` in src/client/outcome-recorder.ts).
 */
const conversionMilliseconds = 3000;

/** Whether a record has not changed between two reads, although times in a store are not converted exactly. */
export function isSameRecord(seen: Outcome, read: Outcome): boolean {
  return (
    seen.state === read.state &&
    (seen.endedAt === undefined) === (read.endedAt === undefined) &&
    Math.abs(seen.startedAt - read.startedAt) < conversionMilliseconds
  );
}
