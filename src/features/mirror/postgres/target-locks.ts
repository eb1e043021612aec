import type { Postgres } from '../../../platform/postgres/postgres.ts';
import { holdSession } from './stage.ts';

type LongSession = Awaited<ReturnType<typeof holdSession>>;

/**
 * Locks of one process, which the server releases when the connection ends. All locks use one connection, because many
 * mailboxes are copied at the same time and the pool has few connections.
 */
export class TargetLocks {
  readonly #db: Postgres;
  #connection: LongSession | undefined;
  #count = 0;
  /** The connection runs one statement at a time. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(db: Postgres) {
    this.#db = db;
  }

  /** Runs work under the lock of a target. @returns undefined if another process has the lock. @throws {StoreError} */
  async run<T>(target: string, work: () => Promise<T>): Promise<{ readonly value: T } | undefined> {
    this.#count += 1;
    try {
      if (!(await this.#inOrder(() => this.#change('pg_try_advisory_lock', target)))) return undefined;
      try {
        return { value: await work() };
      } finally {
        // If the connection ended, the server has already released the lock.
        await this.#inOrder(() => this.#change('pg_advisory_unlock', target)).catch(() => undefined);
      }
    } finally {
      this.#count -= 1;
      if (this.#count === 0) await this.#inOrder(() => this.#close());
    }
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#last.then(work);
    this.#last = next.catch(() => undefined);
    return next;
  }

  async #change(change: 'pg_try_advisory_lock' | 'pg_advisory_unlock', target: string): Promise<boolean> {
    this.#connection ??= await holdSession(this.#db);
    try {
      const [row] = await this.#connection.session.query<{ done: boolean }>(
        `select ${change}(hashtextextended('ucctl ' || current_schema() || ' ' || $1, 0)) as done`,
        [target],
      );
      return row?.done === true;
    } catch (error) {
      await this.#close();
      throw error;
    }
  }

  async #close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.release();
  }
}
