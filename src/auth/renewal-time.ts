import type { SessionRecord } from './session-record.ts';

/** Renewals of one session are never closer together, whatever lifetimes the service gives or clocks do. */
const apartMilliseconds = 10_000;
const aheadMilliseconds = 60_000;
const jitterSeconds = 30;

/** Whether the access token still lives `ahead` milliseconds from now, by this machine's clock. */
export function lives(record: SessionRecord, now: number, ahead = 0): boolean {
  return now < record.expiresAt - ahead;
}

/** Whether the last renewal was so short ago that another would come of a fault, not of age. */
export function justRenewed({ renewedAt }: SessionRecord, now: number): boolean {
  return triedJustNow(renewedAt, now);
}

/** Whether a renewal, or a try, is too short ago for another. */
export function triedJustNow(at: number | undefined, now: number): boolean {
  // A clock that was put back makes the age negative: that says nothing.
  return at !== undefined && now >= at && now - at < apartMilliseconds;
}

/**
 * Whether to renew before the end: a minute before it, give or take half a minute by process, so that not all come at once. Of a token that lives
 * for minutes only, the last quarter.
 */
export function isDue(record: SessionRecord, now: number, pid: number): boolean {
  if (!lives(record, now)) return true;
  if (justRenewed(record, now)) return false;
  const lifetime = record.expiresAt - (record.renewedAt ?? record.signedInAt);
  const jitter = (pid % (2 * jitterSeconds + 1)) - jitterSeconds;
  const ahead = aheadMilliseconds + jitter * 1000;
  return !lives(record, now, Math.min(ahead, Math.max(lifetime / 4, 0)));
}
