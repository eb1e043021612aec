import type { Context } from '../../runtime/context.ts';
import { control, type WhichSandbox } from './control.ts';
import { viewOf } from './views.ts';

export interface SandboxLogOptions extends WhichSandbox {
  readonly limit: number;
}
interface Requests {
  readonly records: readonly Readonly<Record<string, unknown>>[];
}

/** Lists the requests that a sandbox answered. */
export async function sandboxLogCommand(ctx: Context, options: SandboxLogOptions): Promise<void> {
  const { records } = await control<Requests>(ctx, options, 'GET', `/requests?limit=${options.limit}`);
  await ctx.out.list(
    records,
    viewOf(['time', 'status', 'method', 'path', 'operation', 'unread'], 'No requests.'),
  );
}
