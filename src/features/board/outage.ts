import { nextStep, type Hint } from '../../errors/hint.ts';
import type { PresenceUpdate, UnreadableUpdate } from './parts.ts';

const outageText = 'the board is not up to date, because the service does not reply';

/** Returns whether a read got no reply, or was not possible because the session has ended. */
export function isUnanswered(update: PresenceUpdate | UnreadableUpdate): update is UnreadableUpdate {
  return update.kind === 'unreadable' && (update.reason === 'no response' || update.reason === 'signed out');
}

/** Whether the service of a board replies. */
export class Outage {
  readonly #onStart: (reason: Hint) => void;
  readonly #onEnd: () => void;
  #isPresent = false;

  /**
   * @param onStart receives the reason at the start of an outage
   * @param onEnd called when the service replies again, because events may have been lost
   */
  constructor(onStart: (reason: Hint) => void, onEnd: () => void) {
    this.#onStart = onStart;
    this.#onEnd = onEnd;
  }

  /** Records the result of a read. */
  note(update: PresenceUpdate | UnreadableUpdate): void {
    const wasPresent = this.#isPresent;
    this.#isPresent = isUnanswered(update);
    // The board itself reports the end of the session, because a polling board has no `Outage`.
    if (isUnanswered(update) && !wasPresent && update.reason !== 'signed out')
      this.#onStart(nextStep`${outageText}: ${update.text}`);
    if (!this.#isPresent && wasPresent) this.#onEnd();
  }
}
