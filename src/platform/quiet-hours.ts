import { zoneProblem } from './time-zone.ts';

/** A time of day without calls and texts; it may extend past midnight. */
export interface QuietHours {
  /** The quiet hours as written in the setting. */
  readonly text: string;
  /** Start in minutes since midnight. */
  readonly from: number;
  /** End in minutes since midnight, exclusive. */
  readonly until: number;
  /** Time zone of the quiet hours; undefined for the time zone of this machine. */
  readonly zone: string | undefined;
}

/** Reads `22:00-07:00` or `22:00-07:00 Europe/Berlin`. @throws {RangeError} with a sentence for the user. */
export function readQuietHours(text: string): QuietHours {
  const parts = /^([01]?\d|2[0-3]):([0-5]\d)\s*-\s*([01]?\d|2[0-3]|24):([0-5]\d)(?:\s+([\w+/-]+))?$/.exec(
    text.trim(),
  );
  if (!parts)
    throw new RangeError(
      `"${text}" is not a valid time range such as 22:00-07:00 or 22:00-07:00 Europe/Berlin`,
    );
  const from = Number(parts[1]) * 60 + Number(parts[2]);
  const until = Number(parts[3]) * 60 + Number(parts[4]);
  if (until > 1440) throw new RangeError(`"${text}" is not a valid time range: the latest time is 24:00`);
  if (from === until)
    throw new RangeError(`"${text}" is an empty time range; for the whole day, use 00:00-24:00`);
  const zone = parts[5];
  const problem = zone === undefined ? undefined : zoneProblem(zone);
  if (problem !== undefined) throw new RangeError(`${problem}; use UTC or a name such as Europe/Berlin`);
  return { text: text.trim(), from, until, zone };
}

/** Whether a time (milliseconds since 1970) is within the quiet hours. */
export function inQuietHours({ from, until, zone }: QuietHours, time: number): boolean {
  const minute = minuteOfDay(time, zone);
  return from < until ? minute >= from && minute < until : minute >= from || minute < until;
}

function minuteOfDay(time: number, zone: string | undefined): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: zone,
  }).formatToParts(time);
  const value = (type: string): number => Number(parts.find((part) => part.type === type)?.value ?? 0);
  return value('hour') * 60 + value('minute');
}
