import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import type { RowOf } from '../../runtime/rows.ts';
import { control, type WhichSandbox } from './control.ts';
import { userRows } from './user.rows.ts';
import { viewOfPresent } from './views.ts';

export interface SandboxUserOptions extends WhichSandbox {
  readonly action: 'set-password' | 'disable' | 'enable' | 'delete';
  readonly who: string;
  readonly passwordStdin?: boolean;
}

type Change = RowOf<typeof userRows>;

/** Changes a user of a sandbox, like an administrator in the account portal. */
export async function sandboxUserCommand(ctx: Context, options: SandboxUserOptions): Promise<void> {
  const { action } = options;
  if (options.passwordStdin && action !== 'set-password')
    throw usageError('--password-stdin can be used only with set-password', 'omit --password-stdin');
  const reply = await change(ctx, options);
  await ctx.out.record(reply, viewOfPresent(userRows.record, reply));
}

async function change(ctx: Context, options: SandboxUserOptions): Promise<Change> {
  const { action } = options;
  const path = `/users/${encodeURIComponent(options.who)}`;
  if (action === 'delete') return control<Change>(ctx, options, 'DELETE', path);
  if (action !== 'set-password') return control<Change>(ctx, options, 'POST', `${path}/${action}`);
  return control<Change>(ctx, options, 'POST', `${path}/password`, {
    password: await newPassword(ctx, options),
  });
}

/** @throws {CommandError} `usage` (exit 2) for a blank password, because the command before a pipe may have failed. */
async function newPassword(ctx: Context, { who, passwordStdin }: SandboxUserOptions): Promise<string> {
  const password = passwordStdin
    ? (await ctx.input.text()).replace(/\r?\n$/, '')
    : await ctx.prompt.secret(`New password of ${who}`, '--password-stdin');
  if (password.trim() !== '') return password;
  throw usageError('the new password is empty', 'enter a password with at least one visible character');
}
