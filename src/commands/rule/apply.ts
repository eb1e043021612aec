import type { ExitCode } from '../../errors/command.ts';
import { applyResourceFile } from '../../features/resource-plan/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { ResourceFileOptions, ResourceRunOptions } from '../../runtime/resource-options.ts';
import { ruleFiles, rulesOf } from './files.ts';

export type RuleApplyOptions = Omit<ResourceFileOptions, 'map' | 'sheet' | 'protect'> &
  Omit<ResourceRunOptions, 'results'>;

/** `rule apply`: applies a file of answering rules or a saved plan, or resumes a run. */
export async function applyRules(ctx: Context, options: RuleApplyOptions): Promise<ExitCode> {
  const api = await ctx.api();
  return applyResourceFile(ctx, ruleFiles(ctx, api, rulesOf(ctx, api)), { ...options, protect: [] });
}
