// Fake timers of a test replace the global function, but not an imported one.
import { setImmediate } from 'node:timers';
import { databaseProblemOf } from './database-error.ts';

export interface GroupCommitSettings {
  /** Runs work in one transaction. @throws if the transaction cannot be committed, after it was rolled back. */
  readonly transaction: (work: () => void) => void;
  /** Called after each group, whether committed or not, when all promises of the group are settled. */
  readonly onEnd?: ((isCommitted: boolean) => void) | undefined;
}

interface Waiting {
  /** Does the work and returns a function that settles the promise of the caller. */
  readonly run: () => () => void;
  readonly reject: (error: unknown) => void;
}

/** Commits all work that is added in one turn of the event loop in one transaction, so that it waits for the disk once. */
export class GroupCommit {
  readonly #settings: GroupCommitSettings;
  #waiting: Waiting[] = [];

  constructor(settings: GroupCommitSettings) {
    this.#settings = settings;
  }

  /** Whether there is uncommitted work. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /**
   * Resolves with the result of the work when it is on disk. Rejects if the work throws, which does not affect the
   * rest of the group. If the database cannot be written, the promises of the whole group reject.
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

  /** Commits all added work now. */
  commit(): void {
    const group = this.#waiting;
    if (group.length === 0) return;
    this.#waiting = [];
    let settle: (() => void)[] = [];
    let isCommitted = true;
    try {
      this.#settings.transaction(() => {
        for (const one of group) settle.push(outcomeOf(one));
      });
    } catch (error) {
      isCommitted = false;
      settle = group.map(
        ({ reject }) =>
          () =>
            reject(error),
      );
    }
    for (const one of settle) one();
    this.#settings.onEnd?.(isCommitted);
  }
}

/** Returns the function that settles the promise after the commit. @throws an error of the database file, after which SQLite may have rolled back. */
function outcomeOf({ run, reject }: Waiting): () => void {
  try {
    return run();
  } catch (error) {
    if (databaseProblemOf(error)) throw error;
    return () => reject(error);
  }
}
