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

  constructor(message: string, failures: readonly ItemFailure[], listed = failures.length) {
    super(message);
    this.failures = failures;
    this.listed = listed;
  }
}
