import { neededChanges, type ComputedPlan } from '../../features/assignment/index.ts';
import { rejectList, type ListContent } from '../../features/bulk/index.ts';
import { openDirectory } from '../../features/directory/index.ts';
import type { BulkOptions } from '../../runtime/bulk-options.ts';
import type { Context } from '../../runtime/context.ts';
import { ignoredNames } from './ignored-names.ts';
import { planList } from './make-plan.ts';
import { readList, type ReadListOptions } from './read-list.ts';
import { planSettings, readSettings, type SettingsPlan } from './settings.ts';

/** The plan of a file: members and settings of queues. */
export interface FilePlan {
  readonly planned: ComputedPlan;
  readonly settings: SettingsPlan;
  /** Number of extensions of the account, which the names of the file were looked up in. */
  readonly extensions: number;
}

/**
 * Compares a file with the service: first the settings, which may create queues, then the members.
 * @throws {CommandError} `usage` (exit 2) with the problems of the file
 */
export async function planFile(
  ctx: Context,
  content: ListContent,
  file: string,
  options: ReadListOptions & Pick<BulkOptions, 'maxErrors' | 'failFast'>,
): Promise<FilePlan> {
  const list = readList(content, file, options);
  const { resources, problems } = list.hasSettings
    ? readSettings(content, file)
    : { resources: [], problems: [] };
  if (problems.length > 0) return rejectList(ctx, [...list.problems, ...problems], options);
  const api = await ctx.api();
  const directory = openDirectory(api, ctx.signal);
  const settings = await planSettings(ctx, { api, directory }, resources, options);
  if (settings.plan.problems.length > 0) return rejectList(ctx, settings.plan.problems, options);
  for (const text of await ignoredNames(directory, list.labels ?? [])) ctx.out.warn(text);
  for (const text of list.warnings ?? []) ctx.out.warn(text);
  const planned = await planList(ctx, list, options, { ...settings, directory });
  const isRemoval = options.removeOnly && list.desired.length > 0 && planned.removalsSkipped.length === 0;
  if (isRemoval) ctx.out.note(removeOnlyText(planned));
  return { planned, settings, extensions: (await directory.all()).length };
}

/** Describes the effect of --remove-only, which could be mistaken for a removal of the agents in the list. */
function removeOnlyText({ plan, before }: ComputedPlan): string {
  const members = [...before.values()].reduce((total, { size }) => total + size, 0);
  const listed = members - neededChanges(plan).length;
  return `--remove-only keeps the agents who are in the list (${listed}) and removes all other agents.`;
}
