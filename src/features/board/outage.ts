import type { PresenceUpdate, UnreadableUpdate } from './parts.ts';

/** Begins the message about a service that does not reply. */
export const outageText = 'the board is not up to date, because the service does not reply';

/** Returns whether a read got no reply. */
export function isUnanswered(update: PresenceUpdate | UnreadableUpdate): update is UnreadableUpdate {
  return update.kind === 'unreadable' && update.reason === 'no response';
}

/** Whether the service of a board replies. */
export class Outage {
  readonly #onProblem: (text: string) => void;
  readonly #onEnd: () => void;
  #isPresent = false;

  /**
   * @param onProblem receives the message at the start of an outage
   * @param onEnd called when the service replies again, because events may have been lost
   */
  constructor(onProblem: (text: string) => void, onEnd: () => void) {
    this.#onProblem = onProblem;
    this.#onEnd = onEnd;
  }

  /** Records a request. `problem` is the reason why the service did not reply; undefined if it replied. */
  note(problem: string | undefined): void {
    const wasPresent = this.#isPresent;
    this.#isPresent = problem !== undefined;
    if (problem !== undefined && !wasPresent) this.#onProblem(`${outageText}: ${problem}`);
    if (problem === undefined && wasPresent) this.#onEnd();
  }
}
