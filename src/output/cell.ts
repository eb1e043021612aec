import { fullTime, isoWithOffset, timeIn } from '../platform/moment.ts';
import { withPhoneNumbersGrouped } from '../platform/phone-number-text.ts';
import { safe } from '../platform/terminal-text.ts';
import type { CellValue, Column, ColumnKind } from '../runtime/output.ts';
import type { Surface } from './renderer.ts';

/**
 * Formats a cell as plain text for programs: complete values, full times in UTC or in `zone`, empty for missing values.
 */
export function plainCell(value: CellValue, kind: ColumnKind | undefined, zone?: string): string {
  if (value === null || value === undefined) return '';
  if (kind === 'time' && typeof value === 'string') return timeIn(value, zone);
  return String(value);
}

/**
 * Formats a cell of a table, safe to show. A time is short in a list, and complete in a record. A terminal shows flags
 * as yes and no.
 */
export function shownCell<T>(
  row: T,
  column: Column<T>,
  { isTerminal, zone, now }: Pick<Surface, 'isTerminal' | 'zone' | 'now'>,
  isRecord = false,
): string {
  const value = (column.shown ?? column.value)(row);
  if (isTerminal && typeof value === 'boolean') return value ? 'yes' : 'no';
  const isTime = column.kind === 'time' && isTerminal && typeof value === 'string';
  const people = (time: string): string => (isRecord ? fullTime(time, zone) : clockTime(time, now(), zone));
  const text = isTime ? people(value) : plainCell(value, column.kind, zone);
  return safe(column.kind === 'phone' && isTerminal ? withPhoneNumbersGrouped(text) : text);
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * Formats a time in a list for people, in `zone`: `14:03` today, `Nov 21 14:03` this year, otherwise the date. A time
 * within the next week, such as the end of a session, is `in 3 h`. Text that is not a time is returned unchanged.
 */
export function clockTime(text: string, now: number, zone?: string): string {
  const at = Date.parse(text);
  if (Number.isNaN(at)) return text;
  if (at > now + minute && at - now < 7 * day) return `in ${spanText(at - now)}`;
  const [date, time] = [isoWithOffset(at, zone), isoWithOffset(at, zone).slice(11, 16)];
  const today = isoWithOffset(now, zone);
  if (date.slice(0, 10) === today.slice(0, 10)) return time;
  if (date.slice(0, 4) !== today.slice(0, 4)) return date.slice(0, 10);
  return `${months[Number(date.slice(5, 7)) - 1] ?? ''} ${Number(date.slice(8, 10))} ${time}`;
}

/** A rounded span, so that an hour that has just begun is `1 h`, not `59 min`. */
function spanText(milliseconds: number): string {
  if (Math.round(milliseconds / minute) < 60) return `${Math.round(milliseconds / minute)} min`;
  if (Math.round(milliseconds / hour) < 24) return `${Math.round(milliseconds / hour)} h`;
  return `${Math.round(milliseconds / day)} d`;
}
