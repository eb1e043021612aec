import type { Context } from '../../runtime/context.ts';
import { control, type WhichSandbox } from './control.ts';
import { resetRows } from './state.rows.ts';
import type { RowOf } from '../../runtime/rows.ts';

export interface SandboxResetOptions extends WhichSandbox {
  readonly fixture?: string;
}

/** Resets a running sandbox to its initial content. */
export async function sandboxResetCommand(ctx: Context, options: SandboxResetOptions): Promise<void> {
  const { fixture } = options;
  const reply = await control<RowOf<typeof resetRows>>(ctx, options, 'POST', '/reset', {
    ...(fixture !== undefined && { fixture }),
  });
  await ctx.out.record(reply, resetRows.record);
}
