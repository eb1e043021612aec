import type { Context } from '../../runtime/context.ts';
import { control, type WhichSandbox } from './control.ts';
import { viewOfRecord } from './views.ts';

export type SandboxStopOptions = WhichSandbox;

/** Asks a running sandbox to end. */
export async function sandboxStopCommand(ctx: Context, options: SandboxStopOptions): Promise<void> {
  const reply = await control(ctx, options, 'POST', '/stop', {});
  await ctx.out.record({ ...reply }, viewOfRecord(reply));
}
