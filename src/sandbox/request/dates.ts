import { isExistingDay } from '../../platform/moment.ts';
import { invalidParameter } from './errors.ts';

/**
 * Reads an ISO 8601 date or date-time of a query, in milliseconds since 1970; without an offset it is UTC.
 * @throws {ServiceError} CMN-101.
 */
export function readDate(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  // A plus sign that is not percent-encoded is decoded as a space.
  const date = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[ +-]\d{2}:?\d{2})?)?$/.test(text)
    ? Date.parse(
        text
          .replace(' ', '+')
          .replace(/([+-]\d{2})(\d{2})$/, '$1:$2')
          .replace(/(T[\d:.]+)$/, '$1Z'),
      )
    : Number.NaN;
  if (Number.isNaN(date) || !isExistingDay(text)) throw invalidParameter(name);
  return date;
}
