import { isoWithOffset } from './moment.ts';

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/**
 * Returns the day and the time of day in a time zone: `Sunday, 22 November 2026` and `14:05`. Invalid text is returned
 * as the day.
 */
export function localTime(text: string, zone: string): { readonly day: string; readonly time: string } {
  const at = Date.parse(text);
  if (Number.isNaN(at)) return { day: text, time: '' };
  const iso = isoWithOffset(at, zone);
  const date = iso.slice(0, 10);
  const weekday = weekdays[new Date(date).getUTCDay()] ?? '';
  const month = months[Number(date.slice(5, 7)) - 1] ?? '';
  return {
    day: `${weekday}, ${Number(date.slice(8))} ${month} ${date.slice(0, 4)}`,
    time: iso.slice(11, 16),
  };
}
