import type { CellValue, ColumnKind } from '../runtime/output.ts';

/** A cell as plain text, for machines: nothing cut, times in full UTC, absent is empty. */
export function plainCell(value: CellValue, kind: ColumnKind | undefined): string {
  if (value === null || value === undefined) return '';
  if (kind === 'time' && typeof value === 'string') return utcTime(value);
  return String(value);
}

function utcTime(text: string): string {
  if (text.endsWith('Z')) return text;
  const at = Date.parse(text);
  return Number.isNaN(at) ? text : new Date(at).toISOString();
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago or ahead a time is, as people say it; a date beyond a week. Text that is no time stays as it is. */
export function relativeTime(text: string, now: number): string {
  const at = Date.parse(text);
  if (Number.isNaN(at)) return text;
  const distance = Math.abs(at - now);
  if (distance < 10 * second) return 'just now';
  if (distance >= 7 * day) return new Date(at).toISOString().slice(0, 10);
  const span = spanText(distance);
  return at > now ? `in ${span}` : `${span} ago`;
}

function spanText(milliseconds: number): string {
  if (milliseconds < minute) return `${Math.floor(milliseconds / second)} s`;
  if (milliseconds < hour) return `${Math.floor(milliseconds / minute)} min`;
  if (milliseconds < day) return `${Math.floor(milliseconds / hour)} h`;
  return `${Math.floor(milliseconds / day)} d`;
}
