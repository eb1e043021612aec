import type { ExitCode } from '../../errors/command.ts';
import { applyResourceFile } from '../../features/resource-plan/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { ResourceFileOptions, ResourceRunOptions } from '../../runtime/resource-options.ts';
import { hoursFiles } from './files.ts';

export type HoursApplyOptions = Omit<ResourceFileOptions, 'map' | 'sheet'> &
  Omit<ResourceRunOptions, 'results'>;

/** `hours apply`: changes business hours as a file or a saved plan says, or resumes a run. */
export async function applyHours(ctx: Context, options: HoursApplyOptions): Promise<ExitCode> {
  return applyResourceFile(ctx, hoursFiles(ctx, await ctx.api()), options);
}
