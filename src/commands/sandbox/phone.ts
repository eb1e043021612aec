import type { Context } from '../../runtime/context.ts';
import { control, type WhichSandbox } from './control.ts';
import { viewOfRecord } from './views.ts';

export interface SandboxPhoneOptions extends WhichSandbox {
  readonly action: 'answer' | 'busy' | 'reject' | 'hangup' | 'hold' | 'park' | 'resume';
  readonly number: string;
}

/** Does what a hand does with a phone. */
export async function sandboxPhoneCommand(ctx: Context, options: SandboxPhoneOptions): Promise<void> {
  const path = `/phones/${encodeURIComponent(options.number)}/${options.action}`;
  const reply = await control(ctx, options, 'POST', path, {});
  await ctx.out.record({ ...reply }, viewOfRecord(reply));
}
