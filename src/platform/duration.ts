/** Seconds of each unit of a duration. */
export const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Seconds in a text such as `30`, `90s`, `15m`, `1.5h` or `7d`; NaN for any other text. */
export function secondsIn(text: string): number {
  const [, count, unit = 's'] = /^(\d+(?:\.\d+)?)([smhd])?$/.exec(text.trim()) ?? [];
  return count === undefined ? Number.NaN : Number(count) * (unitSeconds[unit] ?? 1);
}
