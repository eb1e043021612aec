import type {
  BusinessHours,
  BusinessHoursUpdate,
  Weekday,
  WeeklyRanges,
} from '../../contract/business-hours.ts';
import type { Value, Values } from '../resource-plan/index.ts';

/**
 * The days of a week, which are the settings of a schedule. A separate constant, because commands do not load the
 * contract.
 */
export const days = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const satisfies readonly Weekday[];

/** The value of a day without hours. */
const closed = 'closed';
const time = String.raw`(?:[01]?\d|2[0-4]):[0-5]\d`;
const range = new RegExp(`^(${time})\\s*[-–]\\s*(${time})$`);

/**
 * Returns the hours of each day as texts such as `09:00-12:00, 13:00-17:00`; null for each day if the service has no
 * schedule.
 */
export function valuesOf({ schedule }: BusinessHours): Values {
  const weekly = schedule?.weeklyRanges;
  return Object.fromEntries(
    days.map((day) => [day, weekly === undefined ? null : dayText(weekly[day] ?? [])]),
  );
}

function dayText(ranges: NonNullable<WeeklyRanges[Weekday]>): string {
  if (ranges.length === 0) return closed;
  const texts = ranges.map(({ from = '', to = '' }) => `${minutes(from)}-${minutes(to)}`);
  return texts.sort().join(', ');
}

/** Returns a time without zero seconds. Other seconds remain, because a request replaces the hours of all days. */
function minutes(text: string): string {
  return text.replace(/^(\d\d:\d\d):00(?:\.0+)?$/, '$1');
}

/** Returns the schedule with these hours. */
export function scheduleOf(values: Values): BusinessHoursUpdate['schedule'] {
  if (!hasSchedule(values)) return {};
  const open = days.flatMap((day) => {
    const ranges = rangesOf(values[day]);
    return ranges.length > 0 ? [[day, ranges] as const] : [];
  });
  return { weeklyRanges: Object.fromEntries(open) };
}

/**
 * Returns the days of a file. If the service has no schedule yet, a request creates it with the hours of all days, so the
 * days that the file does not name close.
 */
export function completeWeek(values: Values, present: Values): Values {
  if (hasSchedule(present) || !hasSchedule(values)) return values;
  return Object.fromEntries(days.map((day) => [day, values[day] ?? closed]));
}

function hasSchedule(values: Values): boolean {
  return days.some((day) => (values[day] ?? null) !== null);
}

function rangesOf(value: Value | undefined): { readonly from: string; readonly to: string }[] {
  if (typeof value !== 'string' || value === closed) return [];
  return value.split(', ').map((text) => {
    const [from = '', to = ''] = text.split('-');
    return { from, to };
  });
}

/**
 * Reads the hours of one day: `09:00-17:00`, several ranges with commas, or `closed`.
 * @returns the hours in the form of `valuesOf`; undefined if the hours are invalid or overlap.
 */
export function readDay(text: string): string | undefined {
  if (/^(closed|none|off)$/i.test(text.trim())) return closed;
  const ranges: (readonly [string, string])[] = [];
  for (const part of text.split(',')) {
    const [, from, to] = range.exec(part.trim()) ?? [];
    if (from === undefined || to === undefined) return undefined;
    ranges.push([from.padStart(5, '0'), to.padStart(5, '0')]);
  }
  ranges.sort(([one], [other]) => (one < other ? -1 : 1));
  const isValid = ranges.every(
    ([from, to], at) => from < to && to <= '24:00' && from >= (ranges[at - 1]?.[1] ?? ''),
  );
  return isValid ? ranges.map(([from, to]) => `${from}-${to}`).join(', ') : undefined;
}

/** Returns business hours as an item of a list. Absent days are omitted. */
export function hoursItem(
  owner: string,
  name: string,
  values: Values,
): { readonly owner: string; readonly name: string } {
  const present = Object.entries(values).filter(([, value]) => value !== null);
  return { owner, name, ...Object.fromEntries(present) };
}

/**
 * Returns business hours as an item of a file for `hours apply`. Days that no file can set are omitted. If the owner has
 * no schedule, each day is null.
 */
export function fileItem(owner: string, name: string, values: Values): ReturnType<typeof hoursItem> {
  const file = fileDays(values);
  return hasSchedule(values) ? hoursItem(owner, name, file) : { owner, name, ...file };
}

/** Returns the days that a file can contain. Hours that no file may set, such as hours after midnight, are omitted. */
export function fileDays(values: Values): Values {
  return Object.fromEntries(
    days.map((day) => {
      const value = values[day];
      return [day, typeof value === 'string' && readDay(value) === value ? value : null];
    }),
  );
}
