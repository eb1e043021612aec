import { messageOf } from '../../../errors/command.ts';
import type { Postgres } from '../../../platform/postgres/postgres.ts';
import { NotOwnerError } from '../log/not-owner.ts';
import { recordAsOwner, type OwnerReport } from './receiver-table.ts';

/** The entries that only the owner of a receiver may make in the store. */
export class OwnerRecord {
  readonly #db: Postgres;
  readonly #receiver: string;
  readonly #fence: number;

  constructor(db: Postgres, receiver: string, fence: number) {
    this.#db = db;
    this.#receiver = receiver;
    this.#fence = fence;
  }

  /** @throws {NotOwnerError} if another process is the owner. @throws {StoreError} */
  async report(report: OwnerReport): Promise<void> {
    if (!(await recordAsOwner(this.#db, this.#receiver, this.#fence, report))) throw new NotOwnerError();
  }

  /** Whether the store has this subscription as that of the receiver, whoever recorded it. @throws {StoreError} */
  async isRecorded(subscriptionId: string): Promise<boolean> {
    const rows = await this.#db.query('select 1 from receiver where name = $1 and subscription_id = $2', [
      this.#receiver,
      subscriptionId,
    ]);
    return rows.length > 0;
  }

  /**
   * Does the work of the owner. Ends without an error if another process is the owner, or a signal aborts.
   * @param signals of the ownership and of the process, because the work may see an interruption of the process first.
   * @throws the error of the work, which is recorded as the problem of the receiver.
   */
  async while(signals: readonly AbortSignal[], work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof NotOwnerError || signals.some(({ aborted }) => aborted)) return;
      // Until the next owner succeeds, events may be missed.
      await this.report({ problem: messageOf(error), recovers: true }).catch(() => undefined);
      throw error;
    }
  }
}
