import type { ComputedPlan } from '../../features/assignment/index.ts';
import { rejectList, type ListContent } from '../../features/bulk/index.ts';
import type { BulkOptions } from '../../runtime/bulk-options.ts';
import type { Context } from '../../runtime/context.ts';
import { planList } from './make-plan.ts';
import type { PlanOptions } from './plan-options.command.ts';
import { readList } from './read-list.ts';
import { planSettings, readSettings, type SettingsPlan } from './settings.ts';

/** The plan of a file: members and settings of queues. */
export interface FilePlan {
  readonly planned: ComputedPlan;
  readonly settings: SettingsPlan;
}

/**
 * Compares a file with the service: first the settings, which may create queues, then the members.
 * @throws {CommandError} `usage` (exit 2) with the problems of the file
 */
export async function planFile(
  ctx: Context,
  content: ListContent,
  file: string,
  options: PlanOptions & Pick<BulkOptions, 'maxErrors' | 'failFast'>,
): Promise<FilePlan> {
  const list = readList(content, file, options);
  const { resources, problems } = list.hasSettings
    ? readSettings(content, file)
    : { resources: [], problems: [] };
  if (problems.length > 0) return rejectList(ctx, [...list.problems, ...problems], options);
  if (resources.length === 0) {
    const planned = await planList(ctx, list, options);
    return { planned, settings: await planSettings(ctx, await ctx.api(), [], options) };
  }
  const settings = await planSettings(ctx, await ctx.api(), resources, options);
  if (settings.plan.problems.length > 0) return rejectList(ctx, settings.plan.problems, options);
  return { planned: await planList(ctx, list, options, settings), settings };
}
