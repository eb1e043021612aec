import { troubleOf } from './database-error.ts';

export interface GroupCommitSettings {
  /** Runs work in one transaction. @throws after rolling back, when it cannot be committed. */
  readonly transaction: (work: () => void) => void;
  /** Called after each group, also after one that was not committed, when everybody has been answered. */
  readonly onEnd?: ((isCommitted: boolean) => void) | undefined;
}

interface Waiting {
  /** Does the work and gives what answers its caller. */
  readonly run: () => () => void;
  readonly reject: (error: unknown) => void;
}

/** Pieces of work that are added in one turn of the event loop share one commit, and thus one wait for the disk. */
export class GroupCommit {
  readonly #settings: GroupCommitSettings;
  #waiting: Waiting[] = [];

  constructor(settings: GroupCommitSettings) {
    this.#settings = settings;
  }

  /** Whether anything waits to be committed. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /**
   * Resolves with what the work returned when it is on disk. Rejects when the work throws, which does not concern the others of its group, or
   * when the database cannot be written, which fails them all.
   */
  add<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = (): (() => void) => {
        const value = work();
        return () => resolve(value);
      };
      this.#waiting.push({ run, reject });
      if (this.#waiting.length === 1) setImmediate(() => this.commit());
    });
  }

  /** Commits what waits, at once. */
  commit(): void {
    const group = this.#waiting;
    if (group.length === 0) return;
    this.#waiting = [];
    let answers: (() => void)[] = [];
    let isCommitted = true;
    try {
      this.#settings.transaction(() => {
        for (const one of group) answers.push(outcomeOf(one));
      });
    } catch (error) {
      isCommitted = false;
      answers = group.map(
        ({ reject }) =>
          () =>
            reject(error),
      );
    }
    for (const answer of answers) answer();
    this.#settings.onEnd?.(isCommitted);
  }
}

/** What answers the caller after the commit. @throws what says that SQLite may have ended the transaction: nothing may follow it. */
function outcomeOf({ run, reject }: Waiting): () => void {
  try {
    return run();
  } catch (error) {
    if (troubleOf(error)) throw error;
    return () => reject(error);
  }
}
