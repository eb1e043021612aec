import type { ExitCode } from '../../errors/command.ts';
import { applyResourceFile } from '../../features/resource-plan/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { ResourceRunOptions } from '../../runtime/resource-options.ts';
import { peopleFiles, type PeopleFileOptions } from './people.ts';

export type AgentApplyOptions = PeopleFileOptions & ResourceRunOptions;

/** `agent apply`: applies a list of people or a saved plan, or resumes a run. */
export async function applyPeople(ctx: Context, options: AgentApplyOptions): Promise<ExitCode> {
  return applyResourceFile(ctx, peopleFiles(ctx, await ctx.api(), options), options);
}
