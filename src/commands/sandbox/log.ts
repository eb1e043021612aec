import { timeIn } from '../../platform/moment.ts';
import type { Context } from '../../runtime/context.ts';
import type { Column, View } from '../../runtime/output.ts';
import { control, type WhichSandbox } from './control.ts';
import { requestRows } from './log.rows.ts';
import type { RowOf } from '../../runtime/rows.ts';

export interface SandboxLogOptions extends WhichSandbox {
  readonly limit: number;
}
type Request = RowOf<typeof requestRows>;
interface Requests {
  readonly records: readonly Request[];
}

/** Lists the requests that a sandbox received. */
export async function sandboxLogCommand(ctx: Context, options: SandboxLogOptions): Promise<void> {
  const { records } = await control<Requests>(ctx, options, 'GET', `/requests?limit=${options.limit}`);
  await ctx.out.list(records, isTable(ctx) ? terminalView(ctx, records) : requestRows.list);
}

function isTable({ out }: Context): boolean {
  return out.isTerminal && out.format === 'table';
}

/** Terminal width, in columns, from which whole paths are more important than further columns. */
const wideColumns = 80;

/**
 * Returns the columns that fit 80 characters. Times have no date, so that the path has more room. The column of ignored
 * members has the highest priority. The columns of ignored members and of errors have the lowest priority if every cell
 * would be empty.
 */
function terminalView({ out }: Context, records: readonly Request[]): View<Request> {
  const hasIgnored = records.some(({ unread }) => unread.length > 0);
  const hasError = records.some(({ errorCode }) => errorCode !== undefined);
  const isWide = (out.columns ?? wideColumns) >= wideColumns;
  const columns = requestRows.list.columns.map((column): Column<Request> => {
    if (column.key === 'time')
      return { ...column, value: ({ time }) => timeIn(time, out.zone).slice(11, 19) };
    if (column.key === 'path' && isWide) return { ...column, least: hasIgnored ? 40 : 52 };
    if (column.key === 'errorCode' && !hasError) return { ...column, priority: 0 };
    if (column.key !== 'unread') return column;
    return hasIgnored ? { ...column, priority: 8, least: 12 } : { ...column, priority: 0 };
  });
  return { ...requestRows.list, columns };
}
