/** The missed events of a recovered connection. The service stores only the newest of them. */
interface Replay {
  /** Sequence number of the last event before the connection was lost. */
  readonly after: number;
  readonly capacity: number;
}

/**
 * Detects events that a session may have lost: unreadable events, and a replay of as many events as the service stores.
 * Each is reported at the end of an interval, so that several events cause one report.
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

  /** Call when a connection begins. @param replay present if the connection continues an earlier one */
  begin(replay?: Replay): void {
    this.#replay = replay;
    this.#received = 0;
  }

  /** Call for each event. If the first event is the next event, the service has stored all missed events. */
  received(sequence: number | undefined): void {
    if (this.#replay && this.#received === 0 && sequence === this.#replay.after + 1) this.#replay = undefined;
    else this.#received += 1;
  }

  /** Call for each event that cannot be read or stored. */
  unreadable(): void {
    this.#hasUnreadable = true;
  }

  /** Reports the losses since the last call, and ends the replay. */
  endInterval(): void {
    if (this.#hasUnreadable) this.#onLoss('the service sent unreadable events');
    this.#hasUnreadable = false;
    if (this.#replay && this.#received >= this.#replay.capacity)
      this.#onLoss('ucctl missed more events than the service stores');
    this.#replay = undefined;
  }
}
