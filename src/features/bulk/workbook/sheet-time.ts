import { dayMilliseconds } from '../../../platform/day.ts';

/** Midnight of the day 0, in milliseconds since 1970. Sheets count February 29, 1900, which did not exist, as day 60. */
const firstDay = {
  before60: Date.UTC(1899, 11, 31),
  from60: Date.UTC(1899, 11, 30),
  from1904: Date.UTC(1904, 0, 1),
};

/** A unit of a time of day. */
interface Unit {
  readonly letter: 'h' | 'm' | 's';
  /** Milliseconds of the next larger unit. */
  readonly next: number;
}
const hours: Unit = { letter: 'h', next: dayMilliseconds };
const units: readonly Unit[] = [hours, { letter: 'm', next: 3_600_000 }, { letter: 's', next: 60_000 }];
const year10000 = Date.UTC(10_000, 0, 1);

/** The date system in which the library reads all workbooks, because it counts every day, also before 1900. */
export const readDateSystem = '1904';

/**
 * Returns the text of a date, a time of day or a duration: `2026-01-05 09:00`, `09:00`, `25:30:00`. Undefined if a sheet
 * shows no date, because the number is negative or after the year 9999.
 * @param read the date as the library returns it in `readDateSystem`
 * @param picture the number format without literal texts
 */
export function sheetTime(read: Date, picture: string, is1904: boolean): string | undefined {
  const sinceStart = read.getTime() - firstDay.from1904;
  const at = sinceStart + startOf(sinceStart, is1904);
  if (Number.isNaN(at) || at >= year10000) return undefined;
  const format = picture.replaceAll(/am\/pm|a\/p/gi, '').toLowerCase();
  const elapsed = units.find(({ letter }) => format.includes(`[${letter}`));
  const hasSeconds = format.includes('s');
  if (elapsed !== undefined) return clockText(sinceStart, elapsed, hasSeconds);
  if (sinceStart < 0) return undefined;
  const isTime = !/[dy]/.test(format) && /[hs]/.test(format);
  if (isTime) {
    const largest = units.find(({ letter }) => format.includes(letter)) ?? hours;
    return clockText(sinceStart % largest.next, largest, hasSeconds);
  }
  const date = new Date(at).toISOString().slice(0, 10);
  // A sheet stores a date without time as midnight.
  return sinceStart % dayMilliseconds === 0
    ? date
    : `${date} ${clockText(sinceStart % dayMilliseconds, hours, hasSeconds)}`;
}

function startOf(sinceStart: number, is1904: boolean): number {
  if (is1904) return firstDay.from1904;
  return sinceStart < 60 * dayMilliseconds ? firstDay.before60 : firstDay.from60;
}

/** Returns a duration from its largest unit on. Seconds that are 0 are omitted if the format does not show them. */
function clockText(milliseconds: number, { letter }: Unit, hasSeconds: boolean): string {
  const total = Math.floor(Math.abs(milliseconds) / 1000);
  const [minutes, seconds] = [Math.floor(total / 60), total % 60];
  const parts = { h: [Math.floor(minutes / 60), minutes % 60], m: [minutes], s: [total] }[letter];
  const shown = letter !== 's' && (hasSeconds || seconds > 0) ? [...parts, seconds] : parts;
  return `${milliseconds < 0 ? '-' : ''}${shown.map((number) => String(number).padStart(2, '0')).join(':')}`;
}
