import type { ExitCode } from '../../errors/command.ts';
import { planResourceFile } from '../../features/resource-plan/index.ts';
import type { Context } from '../../runtime/context.ts';
import { peopleFiles, type PeopleFileOptions } from './people.ts';

export interface AgentPlanOptions extends PeopleFileOptions {
  readonly planOut?: string;
}

/** `agent plan`: shows the changes that a list of people would make. */
export async function planPeople(ctx: Context, options: AgentPlanOptions): Promise<ExitCode> {
  return planResourceFile(ctx, peopleFiles(ctx, await ctx.api(), options), options);
}
