import type { ExitCode } from '../../errors/command.ts';
import { applyResourceFile } from '../../features/resource-plan/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { ResourceFileOptions, ResourceRunOptions } from '../../runtime/resource-options.ts';
import { hoursFiles } from './files.ts';

export type HoursApplyOptions = Omit<ResourceFileOptions, 'map' | 'sheet'> &
  Omit<ResourceRunOptions, 'results'>;

/** `hours apply`: applies a file of business hours or a saved plan, or resumes a run. */
export async function applyHours(ctx: Context, options: HoursApplyOptions): Promise<ExitCode> {
  return applyResourceFile(ctx, hoursFiles(ctx, await ctx.api()), options);
}
