import type { Context } from '../../runtime/context.ts';
import { control, type WhichSandbox } from './control.ts';
import { viewOf } from './views.ts';

export interface SandboxPostsOptions extends WhichSandbox {
  readonly group?: string;
  readonly limit: number;
}
interface Posts {
  readonly records: readonly Readonly<Record<string, unknown>>[];
}

/** Lists the chat posts of a sandbox. */
export async function sandboxPostsCommand(ctx: Context, options: SandboxPostsOptions): Promise<void> {
  const query = new URLSearchParams({
    limit: String(options.limit),
    ...(options.group !== undefined && { group: options.group }),
  });
  const { records } = await control<Posts>(ctx, options, 'GET', `/posts?${query.toString()}`);
  await ctx.out.list(records, viewOf(['time', 'groupId', 'webhookId', 'post'], 'No posts.'));
}
