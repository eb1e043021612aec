import { rollBack, type Database } from '../../platform/sqlite.ts';

/** Maximum number of writes in one transaction, so that no write waits long for its commit. */
const mostTogether = 64;

interface Write {
  readonly run: () => unknown;
  readonly isAlone: boolean;
  readonly done: (value: unknown) => void;
  readonly failed: (error: unknown) => void;
}

interface Finished {
  readonly write: Write;
  readonly value: unknown;
}

/**
 * The writes of one connection. They run one after the other, because the connection has only one transaction. Writes
 * that wait at the same time share a transaction, because each commit waits for the disk, which takes milliseconds.
 * Each write resolves after the commit. The failure of one write undoes only that write.
 */
export class WriteQueue {
  readonly #db: Database;
  #waiting: Write[] = [];
  #isRunning = false;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Runs a write in a transaction that it may share with other writes. */
  add<T>(run: () => T | Promise<T>): Promise<T> {
    return this.#add(run, false);
  }

  /** Runs a write that begins its own transaction. */
  alone<T>(run: () => T | Promise<T>): Promise<T> {
    return this.#add(run, true);
  }

  #add<T>(run: () => T | Promise<T>, isAlone: boolean): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ run, isAlone, done: (value) => resolve(value as T), failed: reject });
      if (!this.#isRunning) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#isRunning = true;
    // Waits for the end of this turn of the event loop, so that writes of other replies can join the first
    // transaction.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) await this.#next();
    this.#isRunning = false;
  }

  /** Runs the next write alone, or all waiting writes that can share a transaction. Never rejects. */
  async #next(): Promise<void> {
    const [first] = this.#waiting;
    if (first?.isAlone) {
      this.#waiting.shift();
      await Promise.resolve().then(first.run).then(first.done, first.failed);
      return;
    }
    const started: Write[] = [];
    const finished: Finished[] = [];
    try {
      this.#db.exec('BEGIN IMMEDIATE');
      while (started.length < mostTogether && this.#waiting[0]?.isAlone === false) {
        const write = this.#waiting.shift() as Write;
        started.push(write);
        await this.#one(write, finished);
      }
      this.#db.exec('COMMIT');
    } catch (error) {
      rollBack(this.#db);
      // Nothing was stored. The promise of a write that failed was already rejected; a second rejection has
      // no effect.
      const lost = started.length > 0 ? started : this.#waiting.splice(0, 1);
      for (const write of lost) write.failed(error);
      return;
    }
    for (const { write, value } of finished) write.done(value);
  }

  /**
   * Runs one write of the transaction. @throws if the transaction cannot continue, for example because the disk is
   * full.
   */
  async #one(write: Write, finished: Finished[]): Promise<void> {
    this.#db.exec('SAVEPOINT write');
    let value: unknown;
    try {
      value = await write.run();
    } catch (error) {
      write.failed(error);
      // SQLite ends the transaction by itself after some errors. In this case, this statement also fails.
      try {
        this.#db.exec('ROLLBACK TO write; RELEASE write');
      } catch {
        throw error;
      }
      return;
    }
    this.#db.exec('RELEASE write');
    finished.push({ write, value });
  }
}
