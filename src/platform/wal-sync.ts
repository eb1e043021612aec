import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { DatabaseError, named } from './database-error.ts';
import type { Database } from './sqlite.ts';

/**
 * Waits for the disk after the commits of one connection, in a thread of Node, so that the event loop continues in the
 * meantime. The connection must be open with `synchronous = FULL`. After its first commit, in which SQLite syncs the
 * write-ahead log and its folder, the connection gets `synchronous = NORMAL`, and this class does the sync that SQLite
 * then omits (docs/adr/0104-sync-in-a-thread.md).
 */
export class WalSync {
  readonly #db: Database;
  readonly #file: string;
  readonly #sync: (descriptor: number) => Promise<void>;
  #log: number | undefined;
  /** Number of syncs that have started and not ended. */
  #running = 0;
  #hasFailed = false;
  #isClosed = false;

  /**
   * @param file path of the database. It must use a write-ahead log.
   * @param sync syncs the content of a file, as `fdatasync`.
   */
  constructor(db: Database, file: string, sync = promisify(fdatasync)) {
    this.#db = db;
    this.#file = file;
    this.#sync = sync;
  }

  /** Resolves when all commits so far are on disk. @throws {DatabaseError} if the disk cannot store them. */
  async soon(): Promise<void> {
    if (this.#log === undefined) return this.#begin();
    if (this.#hasFailed) return this.#storeAgain();
    this.#running += 1;
    try {
      await this.#sync(this.#log);
    } catch (error) {
      this.#hasFailed = true;
      throw named(error, this.#file);
    } finally {
      this.#running -= 1;
      if (this.#isClosed) this.#closeLog();
    }
  }

  /** Like `soon`, but returns when all commits so far are on disk. @throws {DatabaseError} */
  now(): void {
    if (this.#hasFailed) this.#storeAgain();
    else if (this.#log !== undefined) fdatasyncSync(this.#log);
  }

  /** Must be called before the connection is closed. */
  close(): void {
    this.#isClosed = true;
    if (this.#running === 0) this.#closeLog();
  }

  /** SQLite itself has waited for the disk in all commits so far. The log exists since the first commit. */
  #begin(): void {
    try {
      this.#log = openSync(`${this.#file}-wal`, 'r+');
    } catch {
      // For example, the process has too many open files. SQLite continues to wait for the disk.
      return;
    }
    this.#db.exec('PRAGMA synchronous = NORMAL');
  }

  /**
   * After a failed sync, the system may drop the changes that it could not write and report success for the next sync.
   * SQLite therefore copies the log to the database, and waits for the disk.
   */
  #storeAgain(): void {
    const { busy, log, checkpointed } = this.#db.prepare('PRAGMA wal_checkpoint(FULL)').get() as Checkpoint;
    if (busy !== 0 || log !== checkpointed) throw new DatabaseError(this.#file, 'broken');
    this.#hasFailed = false;
  }

  #closeLog(): void {
    if (this.#log !== undefined) closeSync(this.#log);
    this.#log = undefined;
  }
}

/** Result of a checkpoint: whether it was blocked, and the pages in the log and those copied. */
interface Checkpoint {
  readonly busy: number;
  readonly log: number;
  readonly checkpointed: number;
}
