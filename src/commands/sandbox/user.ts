import type { Context } from '../../runtime/context.ts';
import { control, type WhichSandbox } from './control.ts';
import { viewOfRecord } from './views.ts';

export interface SandboxUserOptions extends WhichSandbox {
  readonly action: 'set-password';
  readonly who: string;
  readonly passwordStdin?: boolean;
}

/** Changes a password; all sessions of the user end. */
export async function sandboxUserCommand(ctx: Context, options: SandboxUserOptions): Promise<void> {
  const password = options.passwordStdin
    ? (await ctx.input.text()).replace(/\r?\n$/, '')
    : await ctx.prompt.secret(`New password of ${options.who}`, '--password-stdin');
  const path = `/users/${encodeURIComponent(options.who)}/password`;
  const reply = await control(ctx, options, 'POST', path, { password });
  await ctx.out.record({ ...reply }, viewOfRecord(reply));
}
