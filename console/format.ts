const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const shortTime = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const dateAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const dateAndMinute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const age = new Intl.RelativeTimeFormat();
const count = new Intl.NumberFormat();

/** The time zone of all times, such as `Europe/Paris`: the zone of the browser. */
export const { timeZone } = date.resolvedOptions();

/** Time of day with seconds, in the user's locale and time zone. A text that is not a time is shown as it is. */
export function timeText(iso: string): string {
  return formatted(iso, time);
}

/** Date and time with seconds. */
export function momentText(iso: string): string {
  return formatted(iso, dateAndTime);
}

/** Time of day for today by the given clock, otherwise date and time. */
export function whenText(iso: string, now: number): string {
  return isDayOf(iso, now) ? timeText(iso) : momentText(iso);
}

/** Like `whenText`, without seconds. */
export function minuteText(iso: string, now: number): string {
  return formatted(iso, isDayOf(iso, now) ? shortTime : dateAndMinute);
}

function isDayOf(iso: string, now: number): boolean {
  return new Date(iso).toDateString() === new Date(now).toDateString();
}

/** Time for today by the given clock, otherwise the date. */
export function briefText(iso: string, now: number): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  return isDayOf(iso, now) ? shortTime.format(at) : date.format(at);
}

/** Returns how long ago a time was, such as `13 minutes ago`. */
export function ageText(iso: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(iso)) / 60_000);
  if (!(minutes >= 1)) return 'less than a minute ago';
  if (minutes < 60) return age.format(-minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? age.format(-hours, 'hour') : age.format(-Math.floor(hours / 24), 'day');
}

/** Returns a day, as the heading of its messages. */
export function dayText(iso: string): string {
  return formatted(iso, date);
}

function formatted(iso: string, format: Intl.DateTimeFormat): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : format.format(at);
}

/** Seconds as `m:ss` or `h:mm:ss`. */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (part: number): string => String(part).padStart(2, '0');
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}:${two(whole % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)}`;
}

export function countText(value: number): string {
  return count.format(value);
}

/** The button of a list that shows new events. */
export function newEventsText(count: number): string {
  return count === 1 ? '1 new event' : `${countText(count)} new events`;
}

/** Returns a name of the interface as words: `DoNotAcceptAnyCalls` becomes `Do not accept any calls`. */
export function words(name: string): string {
  const text = name
    .replaceAll(/([a-z])([A-Z])/g, (_all, end: string, start: string) => `${end} ${start.toLowerCase()}`)
    .replaceAll(/[-.]/g, ' ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Returns the first letters of first and last name, or the last two digits of a number. */
export function initials(name: string): string {
  if (/^\+?[\d ]+$/.test(name)) return name.slice(-2);
  // Without the number after a name, and without marks that isolate it.
  const only = name.replace(/ \([^()]*\)$/, '').replaceAll(/[\u2068\u2069]/g, '');
  const parts = only.split(/\s+/).filter(Boolean);
  const letters = [parts[0], parts.length > 1 ? parts.at(-1) : undefined].map((part) =>
    String.fromCodePoint(part?.codePointAt(0) ?? 32).trim(),
  );
  return letters.join('').toUpperCase();
}
