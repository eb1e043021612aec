import type { ReceiverTurn } from './receiver-table.ts';

/** Gets what a process of a shared receiver does, for metrics and health checks. */
export interface ReceiverMonitor {
  /** An event was stored, or was stored before, and is acknowledged. */
  stored(result: 'new' | 'duplicate', milliseconds: number): void;
  /** An event could not be stored, and is not acknowledged. */
  failed(): void;
  /** A request was rejected. */
  rejected(): void;
  /** The process reported itself to the store, or could not. */
  turn(turn: ReceiverTurn | { readonly storeProblem: string }): void;
  /** The process listens, and the subscription exists. */
  ready(): void;
}
