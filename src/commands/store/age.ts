import { usageError } from '../../errors/command.ts';
import { lookupTable } from '../../platform/lookup-table.ts';

/** Days of each unit. A year has 366 days, so that data is never deleted too early. */
const unitDays: Readonly<Record<string, number>> = lookupTable({ d: 1, w: 7, y: 366 });

/** Returns the number of days in an age such as `90d`, `6w` or `7y`. @throws {CommandError} `usage` (exit 2). */
export function daysIn(text: string, source: string): number {
  const [, count, unit = ''] = /^(\d{1,5})([dwy])$/.exec(text) ?? [];
  const days = Number(count) * (unitDays[unit] ?? Number.NaN);
  if (!(days >= 1 && days <= 36_600)) {
    throw usageError(
      `${source}: "${text}" is not a valid age`,
      'use a number of days, weeks or years such as 90d, 6w or 7y',
    );
  }
  return days;
}
