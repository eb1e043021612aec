import { ownProcess } from '../../../platform/own-process.ts';
import { ownerLeaseMilliseconds, type ReceiverTurn } from './receiver-table.ts';

interface DutySettings {
  /** Has the duties of the owner until the signal aborts. */
  readonly run: (fence: number, turn: ReceiverTurn, signal: AbortSignal) => Promise<void>;
  /** Called if `run` fails. */
  readonly onFailure: (error: unknown) => Promise<void>;
  /** Called when the duties have ended for any reason. */
  readonly onEnd: () => void;
}

/** The duties while this process is the owner. */
interface Duties {
  readonly fence: number;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

/**
 * Starts the duties of the owner when this process becomes the owner, and ends them when another process does, or
 * before the lease ends.
 */
export class OwnerDuties {
  readonly #settings: DutySettings;
  #current: Duties | undefined;
  #leaseTimer: NodeJS.Timeout | undefined;
  /** Monotonic milliseconds at which the lease ends, unless it is extended. */
  #leaseEnd = 0;

  constructor(settings: DutySettings) {
    this.#settings = settings;
  }

  /**
   * Starts or ends the duties after a report to the store.
   * @param startedAt monotonic milliseconds before the report
   */
  follow(turn: ReceiverTurn, startedAt: number): void {
    if (this.#current && this.#current.fence !== turn.fence) this.#stop();
    if (turn.fence === undefined) return;
    // If the store does not respond, the lease ends by the clock of the store. The duties must end before the
    // lease.
    clearTimeout(this.#leaseTimer);
    this.#leaseEnd = startedAt + ownerLeaseMilliseconds;
    const left = this.#leaseEnd - ownProcess.monotonicMilliseconds();
    this.#leaseTimer = setTimeout(() => this.#stop(), Math.max(0, left));
    if (!this.#current) this.#start(turn.fence, turn);
  }

  /**
   * The fence of this process while it is the owner. After a stall, the lease has ended although the timer of its end
   * has not run yet.
   */
  get fence(): number | undefined {
    return ownProcess.monotonicMilliseconds() < this.#leaseEnd ? this.#current?.fence : undefined;
  }

  /** Ends the duties, and waits until they have ended. */
  async end(): Promise<void> {
    this.#stop();
    await this.#current?.ended;
  }

  #start(fence: number, turn: ReceiverTurn): void {
    const { run, onFailure, onEnd } = this.#settings;
    const stop = new AbortController();
    const ended = run(fence, turn, stop.signal).catch(onFailure);
    this.#current = { fence, stop, ended };
    void ended.finally(() => {
      if (this.#current?.stop === stop) this.#current = undefined;
      onEnd();
    });
  }

  #stop(): void {
    clearTimeout(this.#leaseTimer);
    this.#current?.stop.abort();
  }
}
