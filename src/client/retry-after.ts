/**
 * Returns the seconds of a Retry-After header: a number of seconds, or an HTTP date (RFC 9110, 10.2.3). Never negative;
 * undefined for any other value.
 * @param now milliseconds since 1970; required for a date.
 */
export function readRetryAfter(value: string | undefined, now: number | undefined): number | undefined {
  const text = value?.trim() ?? '';
  if (/^-?\d+(\.\d+)?$/.test(text)) return Math.max(0, Number(text));
  // Accepts only the three formats of an HTTP date, because Date.parse accepts nearly any text.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return undefined;
  if (now === undefined) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
