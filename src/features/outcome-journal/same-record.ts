import type { OutcomeState } from './outcome.ts';

/** The part of an outcome that changes. Times are milliseconds since 1970. */
interface Changeable {
  readonly state: OutcomeState;
  readonly startedAt: number;
  readonly endedAt: number | undefined;
}

/**
 * Maximum difference in milliseconds between two conversions of the same time of a store. A renewal changes the start by
 * more (`confirmedMilliseconds` in src/client/outcome-recorder.ts).
 */
const conversionMilliseconds = 3000;

/** Whether a record has not changed between two reads, although times in a store are not converted exactly. */
export function isSameRecord(seen: Changeable, read: Changeable): boolean {
  return (
    seen.state === read.state &&
    (seen.endedAt === undefined) === (read.endedAt === undefined) &&
    Math.abs(seen.startedAt - read.startedAt) < conversionMilliseconds
  );
}
