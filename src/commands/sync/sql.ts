import { columnNames, iterateRows } from '../../platform/sqlite.ts';
import type { Context } from '../../runtime/context.ts';
import type { CopyOptions } from '../../runtime/copy-options.ts';
import { usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import type { CellValue, View } from '../../runtime/output.ts';
import { readCopy } from '../../features/mirror/index.ts';
import { assertOnlyReads } from './only-reads.ts';

export interface SyncSqlOptions extends CopyOptions {
  readonly statement: string;
}

type Row = Readonly<Record<string, CellValue>>;

/** `sync sql`: the columns of the rows are those of the statement. */
export async function runSql(ctx: Context, { statement, ...options }: SyncSqlOptions): Promise<void> {
  assertOnlyReads(statement);
  await readCopy(ctx, options, async (db) => {
    const rows = iterateRows<Readonly<Record<string, unknown>>>(db, statement, [], { bigInts: true });
    const first = asUsage(() => rows.next());
    const view: View<Row> = {
      columns: (first.done ? columnNames(db, statement) : Object.keys(first.value)).map((key) => ({
        key,
        title: key.toUpperCase(),
        value: (row) => row[key],
      })),
      empty: 'No rows.',
    };
    await ctx.out.list(all(first, rows), view);
  });
}

function* all(
  first: IteratorResult<Readonly<Record<string, unknown>>>,
  rest: Iterator<Readonly<Record<string, unknown>>>,
): Generator<Row> {
  for (let item = first; !item.done; item = rest.next()) yield plainRow(item.value);
}

/** Converts big integers to numbers where that is exact, and bytes to hexadecimal digits. */
function plainRow(row: Readonly<Record<string, unknown>>): Row {
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [key, plain(value)]));
}

function plain(value: unknown): CellValue {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return value as CellValue;
}

function asUsage<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw usageError(
      (error as Error).message,
      nextStep`tables and views: ${ucctl('sync sql "select name, type from sqlite_schema"')}`,
    );
  }
}
