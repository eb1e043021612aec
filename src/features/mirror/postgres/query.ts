import type { Postgres } from '../../../platform/postgres/postgres.ts';
import { DatabaseError } from 'pg';
import { storeErrorOf } from '../../../platform/postgres/errors.ts';
import type { QueryResult } from '../../../store/message-store.ts';
import { distinctColumns } from '../distinct-columns.ts';
import { StatementError } from '../statement-error.ts';
import { answerTypes } from './answer-types.ts';
import { cancelOnAbort } from './cancel.ts';
import { holdSession } from './stage.ts';

/** Number of rows fetched per round trip. */
const atOnce = 1000;

/**
 * Runs one statement of the user in a read-only transaction. The statement is sent through the extended protocol, in
 * which a text cannot contain a second statement that would end the transaction. @param signal cancels the statement.
 * @throws {StatementError} if the statement is invalid or writes. @throws {StoreError}
 */
export async function queryPostgres(
  db: Postgres,
  statement: string,
  signal?: AbortSignal,
): Promise<QueryResult> {
  const { session, release } = await holdSession(db);
  const { place } = db.settings;
  let endCancel: () => void = () => undefined;
  const close = async (): Promise<void> => {
    await session.script('rollback').catch(() => undefined);
    endCancel();
    await release();
  };
  const extended = async (text: string) => {
    signal?.throwIfAborted();
    try {
      const query = { text, queryMode: 'extended', types: answerTypes } as const;
      return await session.client.query<Record<string, unknown>>(query);
    } catch (error) {
      signal?.throwIfAborted();
      throw isOfStatement(error) && !(await isOfStore(error))
        ? new StatementError(error.message, { cause: error, code: error.code })
        : storeErrorOf(error, place);
    }
  };
  try {
    if (signal) endCancel = await cancelOnAbort(db, session, signal);
    // The program that reads the output may wait between two batches.
    await session.script('begin read only; set local idle_in_transaction_session_timeout = 0');
    const isExplain = /^\s*explain\b/i.test(statement);
    if (!isExplain) await extended(`declare answer no scroll cursor for ${statement.replace(/;\s*$/, '')}`);
    const first = await extended(isExplain ? statement : `fetch ${atOnce} from answer`);
    const rows = async function* (): AsyncGenerator<Record<string, unknown>, void, undefined> {
      try {
        let batch = first.rows;
        for (;;) {
          yield* batch.map(plainRow);
          if (isExplain || batch.length < atOnce) return;
          batch = (await extended(`fetch ${atOnce} from answer`)).rows;
        }
      } finally {
        await close();
      }
    };
    return { columns: distinctColumns(first.fields.map(({ name }) => name)), rows: rows() };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Classes of SQLSTATE that concern the statement: syntax, names, values, unsupported features, and changes (25006). */
function isOfStatement(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && /^(?:42(?!501)|22|0A|25006|34)/.test(error.code ?? '');
}

/** Whether the statement uses a dropped table or view of the store. */
async function isOfStore(error: unknown): Promise<boolean> {
  if (!(error instanceof DatabaseError) || error.code !== '42P01') return false;
  const { migrations, objectsOf } = await import('../../../store/index.ts');
  const { tables, views } = objectsOf(migrations);
  // The server reports the name only in its message, whose language is a setting.
  const words = new Set(error.message.match(/\w+/g));
  return [...tables, ...Object.keys(views)].some((name) => words.has(name));
}

/** Converts values that the output does not support: arrays. */
function plainRow(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [key, plain(value)]));
}

function plain(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array))
    return JSON.stringify(value);
  return value;
}
