import { isoWithOffset, momentHint, readAge, readMoment } from '../../platform/moment.ts';
import { type CommandError, usageError } from '../../errors/command.ts';
import { checkZone } from '../../runtime/check-zone.ts';
import type { Context } from '../../runtime/context.ts';
import type { WindowOptions } from '../../runtime/window-options.ts';

/** Forms of a time, for error messages. */
const timeForms = 'a date, an ISO 8601 time, 2h, 7d, today or yesterday';

/** A time range in milliseconds since 1970; an end that was not given is undefined. */
export interface Window {
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly zone: string;
}

/**
 * Reads a time range from the options. Without `tz`, days are in the zone of the displayed times. @throws {CommandError} `usage` for an invalid time or zone, or a range that is empty
 * or ends before it begins.
 */
export function readWindow(
  { since, until, tz }: WindowOptions,
  { now: clock, out }: Pick<Context, 'now' | 'out'>,
): Window {
  const now = clock();
  const zone = checkZone(tz ?? out.zone ?? 'UTC');
  const from = moment('--since', since, now, zone);
  const to = moment('--until', until, now, zone);
  if (from !== undefined && from > (to ?? now))
    throw usageError(
      until === undefined ? '--since is in the future' : '--since is later than --until',
      until === undefined
        ? 'specify a time in the past with --since, such as 7d or yesterday'
        : 'specify an earlier time with --since, or a later time with --until',
    );
  if (from !== undefined && from === to)
    throw usageError(
      '--since and --until are the same time, so the range is empty',
      'a date means the start of its day; for a whole day, specify the next date with --until',
    );
  return { from, to, zone };
}

/** Reads `--since` of a command without its own `--tz`; days are in the zone of the displayed times. */
export function readSince(ctx: Pick<Context, 'now' | 'out'>, since: string | undefined): Window {
  return readWindow(since === undefined ? {} : { since }, ctx);
}

/** Returns the range in the form that the service expects: ISO 8601 with an offset (CALL-13). */
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
 * Reads the time of one flag, in milliseconds since 1970. A time without a zone is in the zone of `--tz`.
 * @throws {CommandError} `usage`, with `forms` as the accepted forms.
 */
export function readTime(
  { baseTime, out }: Pick<Context, 'baseTime' | 'out'>,
  flag: string,
  text: string,
  forms = timeForms,
): number {
  const at = readMoment(text, baseTime(), checkZone(out.zone ?? 'UTC'));
  if (at === undefined) throw invalidTime(flag, text, forms);
  return at;
}

/** Reads the time of a send (`--at`): as `readTime`, but `2h` means in two hours. */
export function readSendTime(ctx: Pick<Context, 'baseTime' | 'out'>, text: string): number {
  const at = readTime(ctx, '--at', text, 'ISO 8601 such as 2026-01-06T02:00:00Z, or a delay such as 2h');
  const delay = readAge(text);
  return delay === undefined ? at : ctx.baseTime() + delay;
}

function moment(flag: string, text: string | undefined, now: number, zone: string): number | undefined {
  if (text === undefined) return undefined;
  const at = readMoment(text, now, zone);
  if (at === undefined) throw invalidTime(flag, text, timeForms);
  return at;
}

function invalidTime(flag: string, text: string, forms: string): CommandError {
  return usageError(`${flag}: "${text}" is not a valid time`, momentHint(text) ?? `use ${forms}`);
}
