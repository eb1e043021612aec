import { isoWithOffset, timeIn } from '../platform/moment.ts';
import type { CellValue, ColumnKind } from '../runtime/output.ts';

/** A cell as plain text for programs: complete values, full times in UTC or in `zone`, empty for missing values. */
export function plainCell(value: CellValue, kind: ColumnKind | undefined, zone?: string): string {
  if (value === null || value === undefined) return '';
  if (kind === 'time' && typeof value === 'string') return timeIn(value, zone);
  return String(value);
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** A time relative to now, such as `5 min ago`; beyond a week a date in `zone`. Text that is not a time is returned unchanged. */
export function relativeTime(text: string, now: number, zone?: string): string {
  const at = Date.parse(text);
  if (Number.isNaN(at)) return text;
  const distance = Math.abs(at - now);
  if (distance < 10 * second) return 'just now';
  if (distance >= 7 * day) return isoWithOffset(at, zone).slice(0, 10);
  // A future time is rounded, so that an hour that has just begun is `in 1 h`, not `in 59 min`.
  return at > now ? `in ${spanText(distance, Math.round)}` : `${spanText(distance, Math.floor)} ago`;
}

function spanText(milliseconds: number, rounded: (value: number) => number): string {
  if (rounded(milliseconds / second) < 60) return `${rounded(milliseconds / second)} s`;
  if (rounded(milliseconds / minute) < 60) return `${rounded(milliseconds / minute)} min`;
  if (rounded(milliseconds / hour) < 24) return `${rounded(milliseconds / hour)} h`;
  return `${rounded(milliseconds / day)} d`;
}
