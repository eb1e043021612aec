import type { Database } from '../../platform/sqlite.ts';
import { GroupCommit } from '../../platform/group-commit.ts';
import { type CachedRows, cachedRowsOf } from './cached-rows.ts';

interface Hooks {
  /** Called before a commit: saves state that is outside the tables. */
  readonly beforeCommit: () => void;
  /** Called after a rollback: reads the state outside the tables again. */
  readonly undo: () => void;
  readonly afterCommit: () => void;
}

/**
 * Runs transactions in groups: all work of one turn of the event loop shares one COMMIT, so that one disk sync serves many requests.
 * Each piece of work has its own savepoint: if it throws, only its changes are rolled back (docs/adr/0010-group-commit.md).
 */
export class TransactionGroup {
  readonly #db: Database;
  readonly #hooks: Hooks;
  readonly #grouped: boolean;
  readonly #cachedRows: CachedRows;
  readonly #group: GroupCommit;
  #open = false;

  /** With `grouped` false, work runs immediately, for a database in memory. */
  constructor(db: Database, grouped: boolean, hooks: Hooks) {
    this.#db = db;
    this.#cachedRows = cachedRowsOf(db);
    this.#grouped = grouped;
    this.#hooks = hooks;
    this.#group = new GroupCommit({
      transaction: (work) => this.#transaction(work),
      onEnd: (isCommitted) => {
        if (isCommitted) hooks.afterCommit();
      },
    });
  }

  /** Runs `work` now, as its own transaction or as part of the open one. The changes are on disk when the outermost transaction returns. */
  now<T>(work: () => T): T {
    if (this.#open) return this.part(work);
    const result = this.#transaction(() => {
      const value = work();
      this.#hooks.beforeCommit();
      return value;
    });
    this.#hooks.afterCommit();
    return result;
  }

  /** Runs `work` with the group of this turn. Resolves when the changes are on disk; rejects if `work` threw an error and was rolled back. */
  soon<T>(work: () => T): Promise<T> {
    if (this.#grouped) return this.#group.add(() => this.part(work));
    return new Promise((resolve) => resolve(this.now(work)));
  }

  /** Runs waiting work now. */
  flush(): void {
    this.#group.commit();
  }

  /** Runs a part of the open transaction; if it throws, only this part is rolled back. */
  part<T>(work: () => T): T {
    this.#db.exec('SAVEPOINT part');
    try {
      const result = work();
      this.#hooks.beforeCommit();
      this.#db.exec('RELEASE part');
      return result;
    } catch (error) {
      this.#db.exec('ROLLBACK TO part; RELEASE part');
      this.#hooks.undo();
      throw error;
    }
  }

  #transaction<T>(work: () => T): T {
    this.#db.exec('BEGIN IMMEDIATE');
    this.#open = true;
    this.#cachedRows.open();
    try {
      const result = work();
      this.#db.exec('COMMIT');
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    } finally {
      this.#open = false;
      this.#cachedRows.close();
    }
  }

  #rollBack(): void {
    try {
      this.#db.exec('ROLLBACK');
    } catch {
      // A failed COMMIT may already have ended the transaction.
    }
    this.#hooks.undo();
  }
}
