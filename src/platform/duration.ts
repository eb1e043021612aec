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
export const durationPattern = String.raw`^(\d+(?:\.\d+)?)\s*([smhdw]?)$`;

/**
 * Seconds in a text such as `30`, `90s`, `15m`, `1.5h`, `7d` or `2w`; NaN for any other text and more than 100 years.
 * Units are in lower case, because in other programs `M` means months.
 */
export function secondsIn(text: string): number {
  const [, count, unit = ''] = new RegExp(durationPattern).exec(text.trim()) ?? [];
  const seconds = Number(count) * (unitSeconds[unit] ?? 1);
  return seconds <= longestSeconds ? seconds : Number.NaN;
}

/** Returns what to write instead of a text such as `6M`, which may mean months or minutes; undefined for any other text. */
export function monthsHint(text: string): string | undefined {
  const [, count = ''] = /^(\d+(?:\.\d+)?)\s*M$/.exec(text.trim()) ?? [];
  if (count === '') return undefined;
  const amount = (unit: string): string => (count === '1' ? `1 ${unit}` : `${count} ${unit}s`);
  return `write ${amount('minute')} as ${count}m; for ${amount('month')}, use ${Math.round(Number(count) * 30)}d`;
}
