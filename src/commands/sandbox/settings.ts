import type { Context } from '../../runtime/context.ts';
import { control, pairs, type WhichSandbox } from './control.ts';
import { viewOfRecord } from './views.ts';

export interface SandboxSettingsOptions extends WhichSandbox {
  readonly change: readonly string[];
}

/** Shows the settings of a sandbox, after changing those given. */
export async function sandboxSettingsCommand(ctx: Context, options: SandboxSettingsOptions): Promise<void> {
  const settings =
    options.change.length === 0
      ? await control(ctx, options, 'GET', '/settings')
      : await control(ctx, options, 'PATCH', '/settings', pairs(options.change, true));
  await ctx.out.record({ ...settings }, viewOfRecord(settings));
}
