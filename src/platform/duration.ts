import { lookupTable } from './lookup-table.ts';

/** Seconds of each unit of a duration. A year is not a unit, because its length varies. */
export const unitSeconds: Readonly<Record<string, number>> = lookupTable({
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 7 * 86_400,
});

/** Longest duration in seconds: 100 years. JavaScript cannot represent dates that are much later. */
const longestSeconds = 36_500 * 86_400;

/** Pattern of a duration: a number and, unless it is in seconds, a unit. */
export const durationPattern = String.raw`^(\d+(?:\.\d+)?)([smhdw]?)$`;

/** Seconds in a text such as `30`, `90s`, `15m`, `1.5h`, `7d` or `2w`; NaN for any other text and more than 100 years. */
export function secondsIn(text: string): number {
  const [, count, unit = ''] = new RegExp(durationPattern).exec(text.trim()) ?? [];
  const seconds = Number(count) * (unitSeconds[unit] ?? 1);
  return seconds <= longestSeconds ? seconds : Number.NaN;
}
