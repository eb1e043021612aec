import type { ReceiverTurn } from './receiver-table.ts';

/** Receives reports about the work of a shared receiver's process, for metrics and health checks. */
export interface ReceiverMonitor {
  /** An event was stored, or was stored before, and is acknowledged. */
  stored(result: 'new' | 'duplicate', milliseconds: number): void;
  /** An event could not be stored, and is not acknowledged. */
  failed(): void;
  /** A request was rejected. */
  rejected(): void;
  /** The process has reported to the store that it is alive, or has failed to do so. */
  turn(turn: ReceiverTurn | { readonly storeProblem: string }): void;
  /** The process listens, and the subscription exists. */
  ready(): void;
}
