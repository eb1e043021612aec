import type { Postgres } from '../../../platform/postgres/postgres.ts';
import type { SqlParameter } from '../../../platform/postgres/statement.ts';
import { holdSession } from './stage.ts';

/** Number of rows fetched per round trip. */
const atOnce = 1000;

/**
 * Reads the rows of a query through a cursor, so that a large result needs little memory. All rows are from one
 * snapshot, and the transaction is read-only, so it delays no reader of the change feed.
 * @throws {StoreError}
 */
export async function* readRows<R extends object>(
  db: Postgres,
  sql: string,
  values: readonly SqlParameter[] = [],
): AsyncGenerator<R, void, undefined> {
  const { session, release } = await holdSession(db);
  try {
    // The reader may write to a slow file between two batches.
    await session.script(
      'begin transaction isolation level repeatable read read only; set local idle_in_transaction_session_timeout = 0',
    );
    await session.query(`declare messages no scroll cursor for ${sql}`, values);
    for (;;) {
      const rows = await session.query<R>(`fetch ${atOnce} from messages`);
      yield* rows;
      if (rows.length < atOnce) return;
    }
  } finally {
    await session.script('rollback').catch(() => undefined);
    await release();
  }
}
