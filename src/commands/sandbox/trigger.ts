import type { Context } from '../../runtime/context.ts';
import { control, pairs, type WhichSandbox } from './control.ts';
import { viewOfRecord } from './views.ts';

export interface SandboxTriggerOptions extends WhichSandbox {
  readonly kind: string;
  readonly detail: readonly string[];
}

/** Makes something happen in a sandbox. */
export async function sandboxTriggerCommand(ctx: Context, options: SandboxTriggerOptions): Promise<void> {
  const path = `/triggers/${encodeURIComponent(options.kind)}`;
  const reply = await control(ctx, options, 'POST', path, pairs(options.detail, false));
  await ctx.out.record({ ...reply }, viewOfRecord(reply));
}
