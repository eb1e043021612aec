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
  /** Number of reads in a row without a reply. */
  #unanswered = 0;

  /**
   * @param onStart receives the reason at the start of an outage
   * @param onEnd called when the service replies again, because events may have been lost
   */
  constructor(onStart: (reason: Hint) => void, onEnd: () => void) {
    this.#onStart = onStart;
    this.#onEnd = onEnd;
  }

  /**
   * Records the result of a read.
   * @param least number of reads in a row without a reply that are an outage
   */
  note(update: PresenceUpdate | UnreadableUpdate, least = 1): void {
    const wasPresent = this.#isPresent;
    if (isUnanswered(update)) {
      this.#unanswered += 1;
      this.#isPresent ||= this.#unanswered >= least;
      // The board itself reports the end of the session, which its footer also names.
      if (this.#isPresent && !wasPresent && update.reason !== 'signed out')
        this.#onStart(nextStep`${outageText}: ${update.text}`);
      return;
    }
    this.#unanswered = 0;
    this.#isPresent = false;
    if (wasPresent) this.#onEnd();
  }

  /** Records the result of a read of one of these people in turn. One of several people may have no reply for another reason. */
  noteInRound(update: PresenceUpdate | UnreadableUpdate, people: number): void {
    this.note(update, Math.min(people, 2));
  }
}
