import type { Call } from './call.ts';

/** How a recorded call ended. */
export interface OutcomeReport {
  readonly state: 'sent' | 'failed' | 'unknown';
  /** The reply to the call; `{ status, text }` for a JSON call. */
  readonly reply?: unknown;
  readonly error?: unknown;
}

/** Records `once` calls before they are sent. Implemented by src/features/outcome-journal. */
export interface OutcomeRecorder {
  /**
   * Called before the first byte is sent. When it resolves, the record must be durable. Returns a function that
   * records the outcome.
   * @param since also rejects a key that was used after this time, if it is more than 24 hours ago
   * @throws if `dedupeKey` was used in the last 24 hours.
   */
  before(
    call: Call,
    dedupeKey: string | undefined,
    since?: number,
  ): Promise<(report: OutcomeReport) => Promise<void>>;
  /** Checks the key of a call that a dry run does not send. Records nothing. @throws as `before`. */
  requireUnused(call: Call, dedupeKey: string, since?: number): Promise<void>;
}
