import { lookupTable } from './lookup-table.ts';

/** Seconds of each unit of a duration. */
export const unitSeconds: Readonly<Record<string, number>> = lookupTable({ s: 1, m: 60, h: 3600, d: 86_400 });

/** Longest duration in seconds: 100 years. JavaScript cannot represent dates that are much later. */
const longestSeconds = 36_500 * 86_400;

/** Seconds in a text such as `30`, `90s`, `15m`, `1.5h` or `7d`; NaN for any other text and more than 100 years. */
export function secondsIn(text: string): number {
  const [, count, unit = 's'] = /^(\d+(?:\.\d+)?)([smhd])?$/.exec(text.trim()) ?? [];
  const seconds = Number(count) * (unitSeconds[unit] ?? 1);
  return seconds <= longestSeconds ? seconds : Number.NaN;
}
