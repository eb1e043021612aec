import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { control, type WhichSandbox } from './control.ts';
import { tokenRows } from './user.rows.ts';
import type { RowOf } from '../../runtime/rows.ts';

export interface SandboxTokenOptions extends WhichSandbox {
  readonly action: 'revoke';
  readonly user?: string;
  readonly tokenStdin?: boolean;
}

/** Revokes the session of a token, or all sessions of a user. */
export async function sandboxTokenCommand(ctx: Context, options: SandboxTokenOptions): Promise<void> {
  const { user, tokenStdin } = options;
  if ((user === undefined) === (tokenStdin !== true))
    throw usageError(
      'exactly one of --user and --token-stdin is required',
      'use --user USER or --token-stdin',
    );
  const which = user === undefined ? { token: (await ctx.input.text()).trim() } : { user };
  const reply = await control<RowOf<typeof tokenRows>>(ctx, options, 'POST', '/tokens/revoke', which);
  await ctx.out.record(reply, tokenRows.record);
}
