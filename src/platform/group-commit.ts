import { databaseProblemOf } from './database-error.ts';
import type { WalSync } from './wal-sync.ts';

export interface GroupCommitSettings {
  /** Runs work in one transaction. @throws if the transaction cannot be committed, after it was rolled back. */
  readonly transaction: (work: () => void) => void;
  /** Waits until all committed transactions are on disk. Absent if `transaction` itself waits for the disk. */
  readonly disk?: Pick<WalSync, 'soon' | 'now'> | undefined;
  /** Called after each group, whether committed or not, when all promises of the group are settled. */
  readonly onEnd?: ((isCommitted: boolean) => void) | undefined;
}

interface Waiting {
  /** Does the work and returns a function that settles the promise of the caller. */
  readonly run: () => () => void;
  readonly reject: (error: unknown) => void;
}

/** A group after its transaction. */
interface Ended {
  readonly group: readonly Waiting[];
  /** Settles the promises of the callers. */
  readonly settle: readonly (() => void)[];
  readonly isCommitted: boolean;
}

/**
 * Commits all work that is added in one turn of the event loop in one transaction, so that it waits for the disk once.
 * With `disk`, the event loop continues during this wait, and the work that is added in the meantime is the next group.
 */
export class GroupCommit {
  readonly #settings: GroupCommitSettings;
  #waiting: Waiting[] = [];
  #isSyncing = false;

  constructor(settings: GroupCommitSettings) {
    this.#settings = settings;
  }

  /** Whether there is work that is not on disk. */
  get isWaiting(): boolean {
    return this.#isSyncing || this.#waiting.length > 0;
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
      if (this.#waiting.length === 1 && !this.#isSyncing) this.#commitAfterTurn();
    });
  }

  /** Commits all added work now. All committed work is on disk when this returns. */
  commit(): void {
    if (!this.isWaiting) return;
    const ended = this.#transact();
    try {
      this.#settings.disk?.now();
    } catch (error) {
      this.#end(failed(ended.group, error));
      return;
    }
    this.#end(ended);
  }

  #commitAfterTurn(): void {
    setImmediate(() => {
      const { disk } = this.#settings;
      if (!disk) this.commit();
      else if (this.#waiting.length > 0) void this.#commitSoon(disk);
    });
  }

  async #commitSoon(disk: Pick<WalSync, 'soon'>): Promise<void> {
    this.#isSyncing = true;
    let ended = this.#transact();
    try {
      if (ended.isCommitted) await disk.soon();
    } catch (error) {
      ended = failed(ended.group, error);
    }
    this.#isSyncing = false;
    this.#end(ended);
    if (this.#waiting.length > 0) this.#commitAfterTurn();
  }

  #transact(): Ended {
    const group = this.#waiting;
    this.#waiting = [];
    const settle: (() => void)[] = [];
    try {
      this.#settings.transaction(() => {
        for (const one of group) settle.push(outcomeOf(one));
      });
    } catch (error) {
      return failed(group, error);
    }
    return { group, settle, isCommitted: true };
  }

  #end({ settle, isCommitted }: Ended): void {
    for (const one of settle) one();
    this.#settings.onEnd?.(isCommitted);
  }
}

/** Rejects the promises of a group. */
function failed(group: readonly Waiting[], error: unknown): Ended {
  const settle = group.map(
    ({ reject }) =>
      () =>
        reject(error),
  );
  return { group, settle, isCommitted: false };
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
