import type { WebSocketPosition } from '../../../../contract/web-socket.ts';

interface Entry {
  readonly position: WebSocketPosition | undefined;
  isStored: boolean;
}

/**
 * The position from which a lost connection is continued. It moves past a notification only when this notification and
 * all earlier notifications are stored, so that the service repeats every event that is not stored.
 */
export class AcknowledgedPosition {
  #current: WebSocketPosition | undefined;
  #entries: Entry[] = [];
  /** Position of a recovered connection, which becomes the current position when the missed events have arrived. */
  #afterReplay: WebSocketPosition | undefined;

  get current(): WebSocketPosition | undefined {
    return this.#current;
  }

  /** Number of notifications that are not stored yet. */
  get pending(): number {
    return this.#entries.length;
  }

  /** Starts at the position of a new session; undefined if no session can be continued. */
  reset(position: WebSocketPosition | undefined): void {
    this.#current = position;
    this.#afterReplay = undefined;
    this.#entries = [];
  }

  /**
   * Continues a session on a new connection. The old position stays in effect until the missed events have arrived,
   * because the position of the new connection may be after them.
   */
  resume(position: WebSocketPosition | undefined): void {
    this.#afterReplay = position;
    this.#entries = [];
  }

  /** Takes over the position of the recovered connection, unless an event has moved the position since. */
  endReplay(): void {
    if (this.#entries.length > 0) return;
    if (this.#afterReplay) this.#current = this.#afterReplay;
    this.#afterReplay = undefined;
  }

  /** Adds a notification. Returns a function to call when it is stored. */
  add(position: WebSocketPosition | undefined): () => void {
    const entry: Entry = { position, isStored: false };
    this.#entries.push(entry);
    return () => {
      entry.isStored = true;
      // After a reset the entry belongs to an earlier connection.
      if (!this.#entries.includes(entry)) return;
      this.#advance();
    };
  }

  #advance(): void {
    let [first] = this.#entries;
    while (first?.isStored) {
      if (first.position) {
        this.#current = first.position;
        this.#afterReplay = undefined;
      }
      this.#entries.shift();
      [first] = this.#entries;
    }
  }
}
