import type { Call } from './call.ts';

/** How a recorded call ended. */
export interface OutcomeReport {
  readonly state: 'sent' | 'failed' | 'unknown';
  /** The reply to the call; `{ status, text }` for a JSON call. */
  readonly reply?: unknown;
  readonly error?: unknown;
}

/** The record of one call. */
export interface OutcomeRecord {
  /**
   * Called before an attempt that follows a wait, because another process may have resolved the outcome meanwhile.
   * @throws if the outcome was resolved, so that the call must not be sent. `settle` then changes nothing.
   */
  confirm(): Promise<void>;
  /**
   * Records the outcome. Called once. The client ignores its errors, so the implementation must report them. A later
   * call with the same key must then treat the outcome as unknown.
   */
  settle(report: OutcomeReport): Promise<void>;
}

/**
 * Records `once` calls before they are sent. For ucctl, src/features/outcome-journal implements it; a program that uses the
 * library passes its own implementation.
 */
export interface OutcomeRecorder {
  /**
   * Called before the first byte is sent. When it resolves, the record must be durable.
   * @param since also rejects a key that was used after this time, if it is more than 24 hours ago
   * @throws if `dedupeKey` was used in the last 24 hours.
   */
  before(call: Call, dedupeKey: string | undefined, since?: number): Promise<OutcomeRecord>;
  /** Checks the key of a call that a dry run does not send. Records nothing. @throws as `before`. */
  requireUnused(call: Call, dedupeKey: string, since?: number): Promise<void>;
}

/**
 * Milliseconds after which a record must be confirmed again: less than the time after which the outcome of a request can
 * be resolved (`settleMilliseconds` in src/features/outcome-journal/resolve.ts).
 */
const confirmedMilliseconds = 5000;

/**
 * Returns a function that confirms a record if much time has passed since it was recorded or confirmed: in a wait, or
 * because the process or the machine was suspended.
 * @param recordedAt time before the call was recorded, in milliseconds since 1970
 */
export function confirmAfterWait(
  record: Pick<OutcomeRecord, 'confirm'>,
  recordedAt: number,
  now: () => number,
): () => Promise<void> {
  let confirmedAt = recordedAt;
  return async () => {
    const time = now();
    // The clock may have been set back.
    if (Math.abs(time - confirmedAt) < confirmedMilliseconds) return;
    await record.confirm();
    confirmedAt = time;
  };
}

/** Records the outcome of a call. A failure is ignored, because the call is over and its result must not be lost. */
export async function recordOutcome(record: OutcomeRecord, report: OutcomeReport): Promise<void> {
  try {
    await record.settle(report);
  } catch {
    // The outcome stays open in the record, so the next call with the same key is not sent.
  }
}
