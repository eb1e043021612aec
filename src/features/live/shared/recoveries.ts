import type { OwnerRecord } from './owner-record.ts';

/**
 * The recoveries of an owner, one after another. Until all of them have succeeded, the store records that the next owner
 * must recover.
 */
export class Recoveries {
  readonly #record: OwnerRecord;
  /** Number of recoveries that have not ended. */
  #open = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(record: OwnerRecord) {
    this.#record = record;
  }

  /** Whether a recovery has not ended. */
  get areOpen(): boolean {
    return this.#open > 0;
  }

  /**
   * Begins a recovery after the earlier ones.
   * @param recover returns whether everything was recovered.
   * @returns the same
   * @throws the error of this recovery or of an earlier one. The duties of the owner must then end.
   */
  start(recover: () => Promise<boolean>): Promise<boolean> {
    this.#open += 1;
    const done = this.#startAfter(this.#last, recover);
    this.#last = done;
    done.catch(() => undefined);
    return done;
  }

  /** Resolves when all recoveries have ended, also with errors. */
  async settled(): Promise<void> {
    await this.#last.catch(() => undefined);
  }

  async #startAfter(before: Promise<unknown>, recover: () => Promise<boolean>): Promise<boolean> {
    await before;
    await this.#record.report({ recovers: true, problem: null });
    const isDone = await recover();
    this.#open -= 1;
    if (isDone && !this.areOpen) await this.#record.report({ recovers: false, problem: null });
    return isDone;
  }
}
