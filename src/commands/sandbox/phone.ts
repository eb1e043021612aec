import type { Context } from '../../runtime/context.ts';
import { control, type WhichSandbox } from './control.ts';
import { phoneRows } from './phone.rows.ts';
import type { RowOf } from '../../runtime/rows.ts';

export interface SandboxPhoneOptions extends WhichSandbox {
  readonly action: 'answer' | 'busy' | 'reject' | 'hangup' | 'hold' | 'park' | 'resume';
  readonly number: string;
}

/** Answers, rejects, holds or ends a call on a phone of a sandbox. */
export async function sandboxPhoneCommand(ctx: Context, options: SandboxPhoneOptions): Promise<void> {
  const path = `/phones/${encodeURIComponent(options.number)}/${options.action}`;
  const reply = await control<RowOf<typeof phoneRows>>(ctx, options, 'POST', path, {});
  await ctx.out.record(reply, phoneRows.record);
}
