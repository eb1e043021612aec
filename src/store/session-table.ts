import type { Postgres, Transaction } from '../platform/postgres/postgres.ts';
import type { SqlParameter } from '../platform/postgres/statement.ts';
import { StoreError } from '../platform/store-error.ts';
import { storeTime } from '../platform/postgres/store-time.ts';

/** An encrypted item. */
export interface StoredItem {
  readonly encrypted: string;
  /** Incremented by each change of the item. */
  readonly generation: number;
  /** The time of the store in milliseconds since 1970. */
  readonly storeNow: number;
}

/** A renewal that was started and whose result is unknown. */
export interface SessionIntent {
  readonly startedAt: string;
  readonly machine: string;
  readonly pid: number;
}

/** A process that uses the sessions of the store. */
export interface SessionUser {
  readonly machine: string;
  readonly pid: number;
}

/** Milliseconds after which a wait for the lock is interrupted to check whether the work is already done. */
const sliceMilliseconds = 2000;
/**
 * Milliseconds that the transaction with the lock may be idle: the longest renewal, including its wait for rate limits.
 */
const longestWorkMilliseconds = 90_000;

/** Encrypted items, and the lock and the journal of their renewals. The tables never contain a token in plain text. */
export class SessionTable {
  readonly #db: Postgres;
  readonly #user: SessionUser;

  constructor(db: Postgres, user: SessionUser) {
    this.#db = db;
    this.#user = user;
  }

  async read(item: string): Promise<StoredItem | undefined> {
    const [row] = await this.#db.query<StoredItem>(
      `select encrypted, generation, (extract(epoch from store_now()) * 1000)::bigint as "storeNow" from session where item = $1`,
      [item],
    );
    return row;
  }

  /** The time of the store in milliseconds since 1970. */
  async now(): Promise<number> {
    return storeTime(this.#db);
  }

  /** Stores an item. With `expected`, only if the item has this generation. @returns whether it was stored. */
  async write(item: string, encrypted: string, expected?: number): Promise<boolean> {
    const by = `${this.#user.machine} ${this.#user.pid}`;
    if (expected !== undefined) {
      const changed = await this.#runDurably(
        `update session set encrypted = $2, generation = generation + 1, changed_at = store_now(), changed_by = $3
          where item = $1 and generation = $4`,
        [item, encrypted, by, expected],
      );
      return changed === 1;
    }
    await this.#runDurably(
      `insert into session (item, generation, encrypted, changed_by) values ($1, 1, $2, $3) on conflict (item) do update
        set encrypted = excluded.encrypted, generation = session.generation + 1, changed_at = store_now(), changed_by = excluded.changed_by`,
      [item, encrypted, by],
    );
    return true;
  }

  /** A refresh token can be used once, so a crash of the server must not lose the new one, nor the record of a renewal. */
  #runDurably(sql: string, values: readonly SqlParameter[]): Promise<number> {
    return this.#db.transaction((transaction) => transaction.run(sql, values), { durable: true });
  }

  /** Returns the names of the items that begin with a prefix. */
  async items(prefix: string): Promise<readonly string[]> {
    const rows = await this.#db.query<{ readonly item: string }>(
      'select item from session where starts_with(item, $1) order by item',
      [prefix],
    );
    return rows.map(({ item }) => item);
  }

  async delete(item: string): Promise<boolean> {
    return (await this.#db.run('delete from session where item = $1', [item])) === 1;
  }

  async intent(item: string, token: string): Promise<SessionIntent | undefined> {
    const [row] = await this.#db.query<{ at: Date; machine: string; pid: number }>(
      'select started_at as at, machine, pid from session_intent where item = $1 and token = $2',
      [item, token],
    );
    return row && { startedAt: row.at.toISOString(), machine: row.machine, pid: row.pid };
  }

  /** Records that a renewal starts. An earlier record of this token stays, because its renewal may have succeeded. */
  async begin(item: string, token: string): Promise<void> {
    await this.#runDurably(
      'insert into session_intent (item, token, machine, pid) values ($1, $2, $3, $4) on conflict do nothing',
      [item, token, this.#user.machine, this.#user.pid],
    );
  }

  async end(item: string, token: string): Promise<void> {
    await this.#db.run('delete from session_intent where item = $1 and token = $2', [item, token]);
  }

  async rejection(item: string, token: string): Promise<string | undefined> {
    const [row] = await this.#db.query<{ reason: string }>(
      'select reason from session_rejection where item = $1 and token = $2',
      [item, token],
    );
    return row?.reason;
  }

  async reject(item: string, token: string, reason: string): Promise<void> {
    await this.#db.run(
      `with gone as (delete from session_intent where item = $1 and token = $2)
        insert into session_rejection (item, token, reason) values ($1, $2, $3) on conflict do nothing`,
      [item, token, reason],
    );
  }

  async clear(item: string): Promise<void> {
    await this.#db.run(
      'with gone as (delete from session_intent where item = $1) delete from session_rejection where item = $1',
      [item],
    );
  }

  /**
   * Runs `work` under the lock of an item, which the server releases when the connection ends. `work` uses other
   * connections, and checks the generation when it writes: the lock may be lost before `work` ends.
   * @param between called every two seconds during the wait; a returned value ends the wait.
   */
  async locked<T>(item: string, work: () => Promise<T>, between: () => Promise<T | undefined>): Promise<T> {
    for (;;) {
      const got = await this.#db.extraSession(async (session) => {
        if (!(await this.#acquire(session, item))) return undefined;
        try {
          return { value: await work() };
        } finally {
          // The result is already stored, and the lock is released if it was lost.
          await session.script('rollback').catch(() => undefined);
        }
      });
      if (got) return got.value;
      const done = await between();
      if (done !== undefined) return done;
    }
  }

  /** Begins a transaction with the lock. @returns false if another process did not release the lock in time. */
  async #acquire(session: Transaction, item: string): Promise<boolean> {
    await session.script(
      `begin; set local lock_timeout = ${sliceMilliseconds}; set local idle_in_transaction_session_timeout = ${longestWorkMilliseconds}`,
    );
    try {
      await session.run(
        "select pg_advisory_xact_lock(hashtextextended('ucctl session ' || current_schema() || ' ' || $1, 0))",
        [item],
      );
      return true;
    } catch (error) {
      await session.script('rollback').catch(() => undefined);
      if (error instanceof StoreError && error.sqlState === '55P03') return false;
      throw error;
    }
  }
}
