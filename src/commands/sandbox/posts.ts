import type { Context } from '../../runtime/context.ts';
import { control, type WhichSandbox } from './control.ts';
import { postRows } from './log.rows.ts';
import type { RowOf } from '../../runtime/rows.ts';

export interface SandboxPostsOptions extends WhichSandbox {
  readonly group?: string;
  readonly limit: number;
}
interface Posts {
  readonly records: readonly RowOf<typeof postRows>[];
}

/** Lists posts to the chat webhooks of a sandbox. */
export async function sandboxPostsCommand(ctx: Context, options: SandboxPostsOptions): Promise<void> {
  const query = new URLSearchParams({
    limit: String(options.limit),
    ...(options.group !== undefined && { group: options.group }),
  });
  const { records } = await control<Posts>(ctx, options, 'GET', `/posts?${query.toString()}`);
  await ctx.out.list(records, postRows.list);
}
