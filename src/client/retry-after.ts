/**
 * Seconds that a Retry-After header asks for: a number of seconds or an HTTP date (RFC 9110, 10.2.3). Never negative; undefined when it is
 * neither.
 * @param now milliseconds since 1970; without it a date says nothing.
 */
export function readRetryAfter(value: string | undefined, now: number | undefined): number | undefined {
  const text = value?.trim() ?? '';
  if (/^-?\d+(\.\d+)?$/.test(text)) return Math.max(0, Number(text));
  // Only the three forms of an HTTP date: Date.parse alone takes nearly anything.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return undefined;
  if (now === undefined) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
