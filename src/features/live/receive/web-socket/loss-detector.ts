/** The missed events of a recovered connection. The service stores only the newest of them. */
interface Replay {
  /** Sequence number of the last event before the connection was lost. */
  readonly after: number;
  readonly capacity: number;
}

const tooMany = 'ucctl missed more events than the service stores';

/**
 * Detects events that a session may have lost: unreadable events, which are reported at the end of an interval, so that
 * several events cause one report, and a replay of as many events as the service stores. All times are milliseconds since
 * 1970.
 */
export class LossDetector {
  readonly #onLoss: (reason: string, from: number) => void;
  /** Last sign of life of a connection. */
  #aliveAt: number;
  /** The sign of life before that, or before events that may be lost. */
  #completeBefore: number;
  /** Whether missed events may still arrive, on this connection or on the next one. */
  #isReplayOpen = false;
  #hasUnreadable = false;
  #replay: Replay | undefined;
  /** Number of events of the replay. */
  #received = 0;

  /**
   * @param onLoss called with the time of the last sign of life before the lost events
   * @param aliveAt the last sign of life of the session that the first connection may continue, or now
   */
  constructor(onLoss: (reason: string, from: number) => void, aliveAt: number) {
    this.#onLoss = onLoss;
    this.#aliveAt = aliveAt;
    this.#completeBefore = aliveAt;
  }

  /** Whether events may be lost that are not reported yet. Until then, the position must not move past them. */
  get isUndecided(): boolean {
    return this.#hasUnreadable || (this.#replay !== undefined && this.#received > 0);
  }

  /** The last sign of life until which no event is lost. */
  get completeUntil(): number {
    return this.#isReplayOpen || this.#hasUnreadable ? this.#completeBefore : this.#aliveAt;
  }

  /** Call for each sign of life of the connection, before the event that it may contain. */
  alive(now: number): void {
    this.#completeBefore = this.completeUntil;
    this.#aliveAt = now;
  }

  /** Call when a connection begins. @param replay present if the connection continues an earlier one */
  begin(replay?: Replay): void {
    this.#replay = replay;
    this.#isReplayOpen = replay !== undefined;
    this.#received = 0;
  }

  /** Call for each event. If the first event is the next event, the service has stored all missed events. */
  received(sequence: number | undefined): void {
    if (!this.#replay) return;
    if (this.#received === 0 && sequence === this.#replay.after + 1) {
      this.#endReplay();
      return;
    }
    this.#received += 1;
    if (this.#received < this.#replay.capacity) return;
    this.#endReplay();
    this.#onLoss(tooMany, this.#completeBefore);
  }

  /** Call for each event that cannot be read or stored. */
  unreadable(): void {
    this.#hasUnreadable = true;
  }

  /** Reports unreadable events since the last call, and ends the replay. */
  endInterval(): void {
    this.endConnection();
    this.#endReplay();
  }

  /** Like `endInterval`, but the next connection may request the missed events again. */
  endConnection(): void {
    if (this.#hasUnreadable) this.#onLoss('the service sent unreadable events', this.#completeBefore);
    this.#hasUnreadable = false;
    this.#replay = undefined;
  }

  #endReplay(): void {
    this.#replay = undefined;
    this.#isReplayOpen = false;
  }
}
