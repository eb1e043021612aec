import { dayMilliseconds } from './day.ts';

/**
 * Returns the SQL of the time before which the rows of a table expire at `:now`. Rows expire by the newest time that is at
 * least a day old, because the clock may be wrong: if it is suddenly ahead by months, no row expires early.
 * @param column the time in milliseconds since 1970
 */
export function expiryTime(table: string, column: string, retentionMilliseconds: number): string {
  const dayOld = `(SELECT max(${column}) FROM ${table} WHERE ${column} <= :now - ${dayMilliseconds})`;
  return `(${dayOld} + ${dayMilliseconds} - ${retentionMilliseconds})`;
}
