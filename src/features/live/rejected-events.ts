import { eitherSignal } from '../../platform/either-signal.ts';

interface RejectedEventsSettings {
  /** Waits; rejects when the signal aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  now(): number;
  /** Aborts when the run ends. */
  readonly signal: AbortSignal;
  /**
   * Recovers the events since a time, in milliseconds since 1970.
   * @returns whether that was possible
   */
  readonly recover: (from: number) => Promise<boolean>;
}

/** Milliseconds before an attempt to recover, unless an event was stored earlier. The wait doubles after each attempt. */
const firstWait = 30_000;
const maxWait = 600_000;

/**
 * Recovers the events that could not be stored. The service does not promise to send an event again after a reply other
 * than 200, so they are recovered when the next event has been stored, or after a wait if no event arrives.
 */
export class RejectedEvents {
  readonly #settings: RejectedEventsSettings;
  /** Whether an event was rejected after the last attempt to recover began. */
  #isIncomplete = false;
  #isRunning = false;
  #wake = new AbortController();

  constructor(settings: RejectedEventsSettings) {
    this.#settings = settings;
  }

  /** An event could not be stored. */
  rejected(): void {
    this.#isIncomplete = true;
    if (this.#isRunning || this.#settings.signal.aborted) return;
    this.#isRunning = true;
    void this.#recover(this.#settings.now());
  }

  /** An event was stored. */
  stored(): void {
    if (this.#isRunning) this.#wake.abort();
  }

  async #recover(from: number): Promise<void> {
    const { recover, signal } = this.#settings;
    try {
      for (let wait = firstWait; !signal.aborted; wait = Math.min(wait * 2, maxWait)) {
        await this.#wait(wait);
        if (signal.aborted) return;
        this.#isIncomplete = false;
        if ((await recover(from)) && !this.#isIncomplete) return;
      }
    } finally {
      // Immediately after the last check, so that each later rejection starts another recovery.
      this.#isRunning = false;
    }
  }

  async #wait(milliseconds: number): Promise<void> {
    this.#wake = new AbortController();
    const ends = eitherSignal(this.#settings.signal, this.#wake.signal);
    await this.#settings.sleep(milliseconds, ends.signal).catch(() => undefined);
    ends.end();
  }
}
