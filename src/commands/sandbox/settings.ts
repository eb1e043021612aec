import type { Context } from '../../runtime/context.ts';
import { control, typedPairs, type WhichSandbox } from './control.ts';
import { settingRows } from './setting.rows.ts';
import { viewOfNames } from './views.ts';

export interface SandboxSettingsOptions extends WhichSandbox {
  readonly change: readonly string[];
}

/** Changes the given settings of a sandbox, then shows all settings. */
export async function sandboxSettingsCommand(ctx: Context, options: SandboxSettingsOptions): Promise<void> {
  const settings =
    options.change.length === 0
      ? await control(ctx, options, 'GET', '/settings')
      : await control(ctx, options, 'PATCH', '/settings', typedPairs(options.change));
  const { format } = ctx.out;
  if (format === 'tsv' || format === 'csv') {
    const rows = Object.entries(settings).map(([name, value]) => ({ name, value }));
    return ctx.out.list(rows, settingRows.list);
  }
  await ctx.out.record({ ...settings }, viewOfNames(settings));
}
