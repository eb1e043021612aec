/**
 * Returns the SQL condition that the last report of a process (`seen_at`) is at most some seconds away from now. A later
 * report than now comes from a clock that was set back, and a running process has replaced it.
 */
export function seenWithin(seconds: number): string {
  return `seen_at between store_now() - interval '${seconds} s' and store_now() + interval '${seconds} s'`;
}
