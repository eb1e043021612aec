import type { Context } from '../../runtime/context.ts';
import { control, type WhichSandbox } from './control.ts';
import { viewOfRecord } from './views.ts';

export type SandboxStatusOptions = WhichSandbox;

/** Shows what a running sandbox says of itself. */
export async function sandboxStatusCommand(ctx: Context, options: SandboxStatusOptions): Promise<void> {
  const status = await control<Readonly<Record<string, unknown>>>(ctx, options, 'GET', '/status');
  await ctx.out.record(status, viewOfRecord(status));
}
