import { isoWithOffset, timeIn } from '../platform/moment.ts';
import type { CellValue, ColumnKind } from '../runtime/output.ts';

/** A cell as plain text, for machines: nothing cut, times in full, in UTC or in `zone`, absent is empty. */
export function plainCell(value: CellValue, kind: ColumnKind | undefined, zone?: string): string {
  if (value === null || value === undefined) return '';
  if (kind === 'time' && typeof value === 'string') return timeIn(value, zone);
  return String(value);
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago or ahead a time is, as people say it; a date, of `zone`, beyond a week. Text that is no time stays as it is. */
export function relativeTime(text: string, now: number, zone?: string): string {
  const at = Date.parse(text);
  if (Number.isNaN(at)) return text;
  const distance = Math.abs(at - now);
  if (distance < 10 * second) return 'just now';
  if (distance >= 7 * day) return isoWithOffset(at, zone).slice(0, 10);
  const span = spanText(distance);
  return at > now ? `in ${span}` : `${span} ago`;
}

function spanText(milliseconds: number): string {
  if (milliseconds < minute) return `${Math.floor(milliseconds / second)} s`;
  if (milliseconds < hour) return `${Math.floor(milliseconds / minute)} min`;
  if (milliseconds < day) return `${Math.floor(milliseconds / hour)} h`;
  return `${Math.floor(milliseconds / day)} d`;
}
