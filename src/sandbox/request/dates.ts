import { invalidParameter } from './errors.ts';

/**
 * Reads an ISO 8601 date or date-time of a query, in milliseconds since 1970; without an offset it is UTC.
 * @throws {ServiceError} CMN-101.
 */
export function readDate(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  // A plus sign that was not percent-encoded arrives as a blank.
  const date = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[ +-]\d{2}:?\d{2})?)?$/.test(text)
    ? Date.parse(
        text
          .replace(' ', '+')
          .replace(/([+-]\d{2})(\d{2})$/, '$1:$2')
          .replace(/(T[\d:.]+)$/, '$1Z'),
      )
    : Number.NaN;
  if (Number.isNaN(date) || !isDay(text)) throw invalidParameter(name);
  return date;
}

/** Date.parse takes the 30th of February for a day of March. */
function isDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}
