import { isoWithOffset } from '../../platform/moment.ts';
import type { CallStats } from './stats.ts';

/**
 * Returns the requested time range of the calls, by default from the first day with a call to the time of the report.
 * @param madeAt time of the report in milliseconds since 1970
 */
export function periodText({ from, to, byDay, zone }: CallStats, madeAt: number): string {
  const start = from ?? byDay[0]?.day;
  const end = minuteText(to ?? isoWithOffset(madeAt, zone));
  return start === undefined ? `until ${end}` : `${minuteText(start)} to ${end}`;
}

/** Formats a time as `2026-01-05 09:00`; a day is unchanged. */
export function minuteText(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}
