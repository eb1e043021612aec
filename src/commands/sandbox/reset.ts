import type { Context } from '../../runtime/context.ts';
import { control, type WhichSandbox } from './control.ts';
import { viewOfRecord } from './views.ts';

export interface SandboxResetOptions extends WhichSandbox {
  readonly fixture?: string;
}

/** Empties a running sandbox and fills it again. */
export async function sandboxResetCommand(ctx: Context, options: SandboxResetOptions): Promise<void> {
  const { fixture } = options;
  const reply = await control(ctx, options, 'POST', '/reset', { ...(fixture !== undefined && { fixture }) });
  await ctx.out.record({ ...reply }, viewOfRecord(reply));
}
