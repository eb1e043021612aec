import type { Context } from '../../runtime/context.ts';
import type { CopyOptions } from '../../runtime/copy-options.ts';
import { StoreError } from '../../platform/store-error.ts';
import { CommandError } from '../../errors/command.ts';
import type { CellValue, View } from '../../runtime/output.ts';
import type { QueryResult, Rows } from '../../store/message-store.ts';
import { inQueryProcess, readCopy, StatementError, usesStore } from '../../features/mirror/index.ts';
import { assertOnlyReads } from './only-reads.ts';
import { statementFailure } from './statement-failure.ts';

export interface SyncSqlOptions extends CopyOptions {
  readonly statement: string;
}

type Row = Readonly<Record<string, CellValue>>;

/** `sync sql`: runs a statement; the rows have the columns of the statement. */
export async function runSql(ctx: Context, { statement, ...options }: SyncSqlOptions): Promise<void> {
  const isStore = usesStore(ctx, options);
  // PostgreSQL itself rejects writes, because the transaction is read-only.
  if (!isStore) assertOnlyReads(statement);
  await readCopy(ctx, options, async ({ messages }) => {
    const query = (): Promise<QueryResult> => messages.query(statement, ctx.signal);
    if (isStore) return showRows(ctx, statement, query);
    // SQLite blocks this process until it finds the next row, which may take hours.
    ctx.signal.throwIfAborted();
    if (ctx.withDefaultSignals) return ctx.withDefaultSignals(() => showRows(ctx, statement, query));
    return inQueryProcess({ file: messages.location, statement }, ctx, (other) =>
      showRows(ctx, statement, other),
    );
  });
}

async function showRows(ctx: Context, statement: string, query: () => Promise<QueryResult>): Promise<void> {
  const { columns, rows } = await asUsage(query, statement, ctx.signal);
  const view: View<Row> = {
    columns: columns.map((key) => ({
      key,
      title: key.toUpperCase(),
      value: (row) => row[key],
    })),
    empty: 'No rows.',
  };
  await ctx.out.list(plainRows(rows, statement), view);
}

/** The rows of a statement, which PostgreSQL computes in parts, so that it can fail after the first rows. */
async function* plainRows(
  rows: Rows<Readonly<Record<string, unknown>>>,
  statement: string,
): AsyncGenerator<Row> {
  try {
    for await (const row of rows) yield plainRow(row);
  } catch (error) {
    throw error instanceof StatementError ? statementFailure(error, statement) : error;
  }
}

/** Converts big integers to numbers if the conversion is exact, and bytes to hexadecimal digits. */
function plainRow(row: Readonly<Record<string, unknown>>): Row {
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [key, plain(value)]));
}

function plain(value: unknown): CellValue {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return value as CellValue;
}

async function asUsage<T>(work: () => Promise<T>, statement: string, signal: AbortSignal): Promise<T> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    if ([StoreError, CommandError].some((type) => error instanceof type)) throw error;
    throw statementFailure(error as Error, statement);
  }
}
