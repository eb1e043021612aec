import type { Context } from '../../runtime/context.ts';
import { CallLog } from './call-log.ts';
import { callRows } from './call.rows.ts';

/** `mcp calls` */
export async function listCalls(ctx: Context): Promise<void> {
  await ctx.out.list(await new CallLog(ctx).read(), callRows.list);
}
