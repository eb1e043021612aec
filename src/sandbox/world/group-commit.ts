import type { Database } from '../../platform/sqlite.ts';
import { GroupCommit as Group } from '../../platform/group-commit.ts';
import { type CachedRows, cachedRowsOf } from './cached-rows.ts';

interface Hooks {
  /** Before what a work wrote is kept: state outside the tables is saved. */
  readonly keep: () => void;
  /** After what was written was undone: state outside the tables is read back. */
  readonly undo: () => void;
  readonly afterCommit: () => void;
}

/**
 * Transactions, and their grouping: what is asked for in the same turn of the event loop shares one COMMIT, so that one sync of the disk
 * serves many requests. Each piece of work has a savepoint of its own: one that throws is undone alone (docs/adr/0010-group-commit.md).
 */
export class GroupCommit {
  readonly #db: Database;
  readonly #hooks: Hooks;
  readonly #grouped: boolean;
  readonly #kept: CachedRows;
  readonly #group: Group;
  #open = false;

  /** `grouped` false: nothing waits, as suits a database in memory. */
  constructor(db: Database, grouped: boolean, hooks: Hooks) {
    this.#db = db;
    this.#kept = cachedRowsOf(db);
    this.#grouped = grouped;
    this.#hooks = hooks;
    this.#group = new Group({
      transaction: (work) => this.#transaction(work),
      onEnd: (isCommitted) => {
        if (isCommitted) hooks.afterCommit();
      },
    });
  }

  /** Runs `work` now, as a transaction of its own or as a part of the open one; on disk when the outermost returns. */
  now<T>(work: () => T): T {
    if (this.#open) return this.part(work);
    const result = this.#transaction(() => {
      const value = work();
      this.#hooks.keep();
      return value;
    });
    this.#hooks.afterCommit();
    return result;
  }

  /** Runs `work` with its turn's group. Resolves when it is on disk, rejects when it threw and was undone. */
  soon<T>(work: () => T): Promise<T> {
    if (this.#grouped) return this.#group.add(() => this.part(work));
    return new Promise((resolve) => resolve(this.now(work)));
  }

  /** Runs what waits, now. */
  flush(): void {
    this.#group.commit();
  }

  /** A part of the open transaction that is undone alone when it throws. */
  part<T>(work: () => T): T {
    this.#db.exec('SAVEPOINT part');
    try {
      const result = work();
      this.#hooks.keep();
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
    this.#kept.open();
    try {
      const result = work();
      this.#db.exec('COMMIT');
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    } finally {
      this.#open = false;
      this.#kept.close();
    }
  }

  #rollBack(): void {
    try {
      this.#db.exec('ROLLBACK');
    } catch {
      // A COMMIT that failed may have ended the transaction already.
    }
    this.#hooks.undo();
  }
}
