import type { SessionRecord } from './session-record.ts';

/** Minimum seconds between two renewals of a session, independent of its lifetime and of changes of the clock. */
export const apartSeconds = 10;
const apartMilliseconds = apartSeconds * 1000;
const aheadMilliseconds = 60_000;
const jitterSeconds = 30;

/** Whether the access token will be valid in `ahead` milliseconds, by the clock of this machine. */
export function lives(record: SessionRecord, now: number, ahead = 0): boolean {
  return now < record.expiresAt - ahead;
}

/** Whether the session was renewed so recently that its token cannot have expired. */
export function justRenewed({ renewedAt }: SessionRecord, now: number): boolean {
  return triedJustNow(renewedAt, now);
}

/** Whether the last attempt is too recent for another attempt. */
export function triedJustNow(at: number | undefined, now: number): boolean {
  // A negative age means that the clock was set back; it is ignored.
  return at !== undefined && now >= at && now - at < apartMilliseconds;
}

/**
 * Whether to renew the access token early: a minute before it expires, plus or minus half a minute depending on the
 * process, so that processes do not renew at the same time. A token with a lifetime of a few minutes is renewed in the
 * last quarter of that lifetime.
 */
export function isDue(record: SessionRecord, now: number, pid: number): boolean {
  if (!lives(record, now)) return true;
  if (justRenewed(record, now)) return false;
  const lifetime = record.expiresAt - (record.renewedAt ?? record.signedInAt);
  const jitter = (pid % (2 * jitterSeconds + 1)) - jitterSeconds;
  const ahead = aheadMilliseconds + jitter * 1000;
  return !lives(record, now, Math.min(ahead, lifetime / 4));
}
