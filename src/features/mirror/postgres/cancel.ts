import { selectProcess } from '../../../platform/postgres/connection.ts';
import type { Postgres, Transaction } from '../../../platform/postgres/postgres.ts';

/** Milliseconds that the server and the reader of the rows have to end after a cancellation. */
const cancelMilliseconds = 2000;

/**
 * Cancels the statement of a session on the server when the signal aborts. If the session has not ended in time, all
 * connections of the store are closed without waiting for the server.
 * @returns a function that must be called after the last statement.
 */
export async function cancelOnAbort(
  db: Postgres,
  session: Transaction,
  signal: AbortSignal,
): Promise<() => void> {
  const [row] = await session.query<{ process: number }>(selectProcess);
  let timer: NodeJS.Timeout | undefined;
  const cancel = (): void => {
    timer = setTimeout(() => db.abandon(), cancelMilliseconds);
    db.run('select pg_cancel_backend($1)', [row?.process ?? 0]).catch(() => db.abandon());
  };
  signal.addEventListener('abort', cancel, { once: true });
  return () => {
    signal.removeEventListener('abort', cancel);
    clearTimeout(timer);
  };
}
