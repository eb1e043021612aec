/** The missed events of a recovered connection. The service stores only the newest of them. */
interface Replay {
  /** Sequence number of the last event before the connection was lost. */
  readonly after: number;
  readonly capacity: number;
}

const tooMany = 'ucctl missed more events than the service stores';

/**
 * Detects events that a session may have lost: unreadable events, which are reported at the end of an interval, so that
 * several events cause one report, and a replay of as many events as the service stores.
 */
export class LossDetector {
  readonly #onLoss: (reason: string) => void;
  #hasUnreadable = false;
  #replay: Replay | undefined;
  /** Number of events of the replay. */
  #received = 0;

  constructor(onLoss: (reason: string) => void) {
    this.#onLoss = onLoss;
  }

  /** Whether events may be lost that are not reported yet. Until then, the position must not move past them. */
  get isUndecided(): boolean {
    return this.#hasUnreadable || (this.#replay !== undefined && this.#received > 0);
  }

  /** Call when a connection begins. @param replay present if the connection continues an earlier one */
  begin(replay?: Replay): void {
    this.#replay = replay;
    this.#received = 0;
  }

  /** Call for each event. If the first event is the next event, the service has stored all missed events. */
  received(sequence: number | undefined): void {
    if (!this.#replay) return;
    if (this.#received === 0 && sequence === this.#replay.after + 1) {
      this.#replay = undefined;
      return;
    }
    this.#received += 1;
    if (this.#received < this.#replay.capacity) return;
    this.#replay = undefined;
    this.#onLoss(tooMany);
  }

  /** Call for each event that cannot be read or stored. */
  unreadable(): void {
    this.#hasUnreadable = true;
  }

  /** Reports unreadable events since the last call, and ends the replay. */
  endInterval(): void {
    if (this.#hasUnreadable) this.#onLoss('the service sent unreadable events');
    this.#hasUnreadable = false;
    this.#replay = undefined;
  }
}
