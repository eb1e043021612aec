import type { Context } from '../../runtime/context.ts';
import { control, type WhichSandbox } from './control.ts';
import { stopRows } from './state.rows.ts';
import type { RowOf } from '../../runtime/rows.ts';

export type SandboxStopOptions = WhichSandbox;

/** Stops a running sandbox. */
export async function sandboxStopCommand(ctx: Context, options: SandboxStopOptions): Promise<void> {
  const reply = await control<RowOf<typeof stopRows>>(ctx, options, 'POST', '/stop', {});
  await ctx.out.record(reply, stopRows.record);
}
