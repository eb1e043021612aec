import type { Hint } from './hint.ts';

/** The failure of one item. */
export interface ItemFailure {
  readonly id: string;
  readonly error: unknown;
}

/** The error of a command for several items of which none succeeded. */
export class EachFailedError extends Error {
  override readonly name = 'EachFailedError';
  readonly failures: readonly ItemFailure[];
  /** Maximum number of failures that the message lists. */
  readonly listed: number;
  /** The next step; undefined for that of the failures. */
  readonly hint: Hint | undefined;

  constructor(
    message: string,
    failures: readonly ItemFailure[],
    { listed = failures.length, hint }: { readonly listed?: number; readonly hint?: Hint | undefined } = {},
  ) {
    super(message);
    this.failures = failures;
    this.listed = listed;
    this.hint = hint;
  }
}
