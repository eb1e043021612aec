import type { Call } from './call.ts';

/** How a recorded call ended. */
export interface OutcomeReport {
  readonly state: 'sent' | 'failed' | 'unknown';
  /** What was read of the reply: `{ status, text }` of a JSON call. */
  readonly reply?: unknown;
  readonly error?: unknown;
}

/** Remembers calls that must not be done twice. Implemented by src/features/outcome-journal. */
export interface OutcomeRecorder {
  /**
   * Called before the first byte goes out; the memory must be durable when it resolves. Gives the function that records the end.
   * @throws when `dedupeKey` was used within 24 h.
   */
  before(call: Call, dedupeKey: string | undefined): Promise<(report: OutcomeReport) => Promise<void>>;
}
