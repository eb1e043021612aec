import { dayMilliseconds } from './day.ts';
import { monthsHint, secondsIn } from './duration.ts';

/** The calendar repeats after 400 years. */
const calendarCycle = 146_097 * dayMilliseconds;
const year400 = Date.UTC(400);

/**
 * Parses a point in time: ISO 8601, a date, an age such as `2h` or `7d`, `now`, `today` or `yesterday`. Days without
 * an offset are in `zone`.
 * @returns milliseconds since 1970; undefined for any other text.
 */
export function readMoment(text: string, now: number, zone = 'UTC'): number | undefined {
  const trimmed = text.trim();
  const word = trimmed.toLowerCase();
  if (word === 'now') return now;
  if (word === 'today') return startOfDay(now, zone);
  // Twelve hours before midnight are always in the previous day, even if the clocks changed.
  if (word === 'yesterday') return startOfDay(startOfDay(now, zone) - dayMilliseconds / 2, zone);
  const age = readAge(trimmed);
  return age === undefined ? readIsoMoment(trimmed, zone) : now - age;
}

/** Parses an age or a delay, such as `2h` or `7d`. @returns milliseconds; undefined for any other text, also without a unit. */
export function readAge(text: string): number | undefined {
  const seconds = /[a-z]\s*$/.test(text) ? secondsIn(text) : Number.NaN;
  return Number.isNaN(seconds) ? undefined : seconds * 1000;
}

/** Returns what to write instead of an age such as `6M`, as `monthsHint`. */
export function momentHint(text: string): string | undefined {
  const hint = monthsHint(text);
  return hint === undefined ? undefined : `${hint} or a date`;
}

/** Parses a date, or a date and time; without an offset it is in `zone`. */
function readIsoMoment(text: string, zone: string): number | undefined {
  const [, date, time, offset] =
    /^(\d{4}-\d\d-\d\d)(?:[t ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(z|[+-]\d\d:?\d\d)?)?$/i.exec(text) ?? [];
  if (date === undefined) return undefined;
  const local = Date.parse(`${date}T${time ?? '00:00'}${offset ?? 'Z'}`);
  if (Number.isNaN(local) || !isExistingDay(date)) return undefined;
  return offset === undefined ? momentOf(local, zone) : local;
}

/** Parses an ISO 8601 time with an offset, in milliseconds since 1970; undefined for any other text. */
export function readInstant(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) || !isExistingDay(text) ? undefined : at;
}

/**
 * Whether the day of an ISO 8601 time exists. Date.parse turns an invalid day, such as February 30, into a day of the
 * next month.
 */
export function isExistingDay(text: string): boolean {
  const [year = 0, month = 0, date = 0] = text.slice(0, 10).split('-').map(Number);
  return date <= new Date(Date.UTC(year + 400, month, 0)).getUTCDate();
}

/** Offset of `zone` from UTC at this time, in milliseconds. @throws {RangeError} for an unknown zone. */
export function zoneOffset(at: number, zone: string): number {
  if (zone === 'UTC') return 0;
  // Date.UTC moves the years 0 to 99 to the 20th century. Offsets were constant until the 19th century.
  if (at < year400) return zoneOffset(at + 3 * calendarCycle, zone);
  const part = partsIn(zone).formatToParts(at);
  const value = (type: string): number => Number(part.find((one) => one.type === type)?.value ?? 0);
  const shown = Date.UTC(
    value('year'),
    value('month') - 1,
    value('day'),
    value('hour'),
    value('minute'),
    value('second'),
  );
  return shown - Math.floor(at / 1000) * 1000;
}

/**
 * Formats a time as ISO 8601 with the offset of `zone`, as requests require: `2026-01-05T10:00:00.000+01:00`.
 * @param at milliseconds since 1970
 */
export function isoWithOffset(at: number, zone = 'UTC'): string {
  const offset = zoneOffset(at, zone);
  const shown = new Date(at + offset).toISOString();
  if (offset === 0) return shown;
  const minutes = Math.abs(offset) / 60_000;
  const two = (number: number): string => String(Math.floor(number)).padStart(2, '0');
  return `${shown.slice(0, -1)}${offset < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}

/** Converts an ISO 8601 time to the offset of `zone`. Returns invalid text unchanged, and an empty string for undefined. */
export function timeIn(text: string | undefined, zone = 'UTC'): string {
  if (text === undefined) return '';
  if (zone === 'UTC' && text.endsWith('Z')) return text;
  const at = Date.parse(text);
  return Number.isNaN(at) ? text : isoWithOffset(at, zone);
}

/** Returns the time of day of an ISO 8601 time in `zone`, such as `14:05:00`; an empty string for invalid text. */
export function timeOfDay(text: string, zone?: string): string {
  const at = Date.parse(text);
  return Number.isNaN(at) ? '' : isoWithOffset(at, zone).slice(11, 19);
}

/** Returns the time of day for the footer of a board: in `zone`, else in UTC, which it then names. */
export function footerTime(at: number, zone: string | undefined): string {
  return `${timeOfDay(new Date(at).toISOString(), zone)}${zone === undefined ? ' UTC' : ''}`;
}

function startOfDay(at: number, zone: string): number {
  const local = at + zoneOffset(at, zone);
  const midnight = local - (((local % dayMilliseconds) + dayMilliseconds) % dayMilliseconds);
  return momentOf(midnight, zone);
}

/**
 * Returns the time at which clocks in `zone` show a local time, which is given as if it was UTC. Of two such times, the
 * first one. If the clocks went forward over the local time, the time is later by the same amount.
 */
function momentOf(local: number, zone: string): number {
  const [before, after] = [
    zoneOffset(local - dayMilliseconds, zone),
    zoneOffset(local + dayMilliseconds, zone),
  ];
  const [first, second] = [local - Math.max(before, after), local - Math.min(before, after)];
  if (first + zoneOffset(first, zone) === local) return first;
  return second + zoneOffset(second, zone) === local ? second : local - before;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function partsIn(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, made);
  return made;
}

/** A time of a single record for people: `2026-11-21 14:03:59` in `zone`. Text that is not a time is returned unchanged. */
export function fullTime(text: string, zone?: string): string {
  const at = Date.parse(text);
  if (Number.isNaN(at)) return text;
  return `${isoWithOffset(at, zone).slice(0, 19).replace('T', ' ')}${zone === undefined ? ' UTC' : ''}`;
}
