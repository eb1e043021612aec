import type { ExitCode } from '../../errors/command.ts';
import { planResourceFile } from '../../features/resource-plan/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { ResourceFileOptions } from '../../runtime/resource-options.ts';
import { hoursFiles } from './files.ts';

export type HoursPlanOptions = Omit<ResourceFileOptions, 'map' | 'sheet'> & { readonly planOut?: string };

/** `hours plan`: shows the changes that a file of business hours would make. */
export async function planHours(ctx: Context, options: HoursPlanOptions): Promise<ExitCode> {
  return planResourceFile(ctx, hoursFiles(ctx, await ctx.api()), options);
}
