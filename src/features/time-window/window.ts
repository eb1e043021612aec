import { isoWithOffset, readMoment, zoneOffset } from '../../platform/moment.ts';
import { usageError } from '../../errors/command.ts';
import type { Context } from '../../runtime/context.ts';
import type { WindowOptions } from '../../runtime/window-options.ts';

/** A stretch of time, milliseconds since 1970; an end that was not given is undefined. */
export interface Window {
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly zone: string;
}

/** @throws {CommandError} `usage` for what is no time, no zone, or ends before it begins. */
export function readWindow({ since, until, tz }: WindowOptions, now: number): Window {
  const zone = checkZone(tz ?? 'UTC');
  const from = moment('--since', since, now, zone);
  const to = moment('--until', until, now, zone);
  if ((from ?? 0) > (to ?? now)) throw usageError('--since is later than --until');
  return { from, to, zone };
}

/** The form that the service expects: ISO 8601 with an offset (CALL-13). */
export function dateFilter({ from, to, zone }: Window): {
  readonly dateFrom?: string;
  readonly dateTo?: string;
} {
  return {
    ...(from !== undefined && { dateFrom: isoWithOffset(from, zone) }),
    ...(to !== undefined && { dateTo: isoWithOffset(to, zone) }),
  };
}

/**
 * The moment, milliseconds since 1970, that one flag names; what has no zone of its own is in that of `--tz`.
 * @throws {CommandError} `usage`, with `forms` as what may be written instead.
 */
export function readTime(
  { now, out }: Pick<Context, 'now' | 'out'>,
  flag: string,
  text: string,
  forms = 'a date, ISO 8601, 2h, 7d, today or yesterday',
): number {
  const at = readMoment(text, now(), checkZone(out.zone ?? 'UTC'));
  if (at === undefined) throw usageError(`${flag} takes a time, not "${text}"`, forms);
  return at;
}

function moment(flag: string, text: string | undefined, now: number, zone: string): number | undefined {
  if (text === undefined) return undefined;
  const at = readMoment(text, now, zone);
  if (at !== undefined) return at;
  throw usageError(`${flag} takes a time, not "${text}"`, 'a date, ISO 8601, 2h, 7d, today or yesterday');
}

function checkZone(zone: string): string {
  try {
    zoneOffset(0, zone);
    return zone;
  } catch {
    throw usageError(`there is no time zone "${zone}"`, 'a name such as Europe/Paris');
  }
}
