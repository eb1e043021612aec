import { ownProcess } from '../../../platform/own-process.ts';
import type { Postgres } from '../../../platform/postgres/postgres.ts';
import { requestRecoveryAfterLoss, type ReceiverProcess } from './process-table.ts';
import { releaseOwner, takeTurn, type ReceiverTurn } from './receiver-table.ts';

/** Milliseconds for which a process does not become the owner after it failed as the owner. */
const failedMilliseconds = 10_000;

interface TurnSettings {
  readonly db: Postgres;
  /** The name of the receiver. */
  readonly receiver: string;
  readonly self: ReceiverProcess;
  /** Whether the receiver has a subscription, and therefore an owner. */
  readonly hasOwner: boolean;
}

/** The reports of a process to the store, in which it acquires or extends the owner's lease. */
export class OwnerTurns {
  readonly #settings: TurnSettings;
  /** Monotonic milliseconds. A clock that is set back must not leave the receiver without an owner. */
  #notBefore = Number.NEGATIVE_INFINITY;

  constructor(settings: TurnSettings) {
    this.#settings = settings;
  }

  /**
   * Reports the process.
   * @param recoversAfterLoss whether the loss of any process means that events may be missing. If only the owner
   * receives events, the next owner finds out itself which events are missing.
   * @throws {StoreError}
   */
  async take(recoversAfterLoss: boolean): Promise<ReceiverTurn> {
    const { db, receiver, self } = this.#settings;
    const turn = await takeTurn(db, receiver, self, this.#isAllowed);
    if (turn.fence === undefined) return turn;
    if (this.#isAllowed) {
      // A recovery in progress is not interrupted. Otherwise, a process that is killed again and again would
      // prevent its end.
      if (!turn.hasLost || turn.recovers || !recoversAfterLoss) return turn;
      return { ...turn, fence: await requestRecoveryAfterLoss(db, receiver, turn.fence), recovers: true };
    }
    // The owner failed during the report, which may have acquired the lease again.
    await releaseOwner(db, receiver, self);
    return { ...turn, fence: undefined, owner: undefined };
  }

  /** Releases the lease after a failure of the owner, and acquires none for 10 s. @throws {StoreError} */
  async giveUp(): Promise<void> {
    const { db, receiver, self } = this.#settings;
    this.#notBefore = ownProcess.monotonicMilliseconds() + failedMilliseconds;
    await releaseOwner(db, receiver, self);
  }

  get #isAllowed(): boolean {
    return this.#settings.hasOwner && ownProcess.monotonicMilliseconds() >= this.#notBefore;
  }
}
