import type { ExitCode } from '../../errors/command.ts';
import { planResourceFile } from '../../features/resource-plan/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { ResourceFileOptions } from '../../runtime/resource-options.ts';
import { ruleFiles, rulesOf } from './files.ts';

export type RulePlanOptions = Omit<ResourceFileOptions, 'map' | 'sheet' | 'protect'> & {
  readonly planOut?: string;
};

/** `rule plan`: shows the changes that a file of answering rules would make. */
export async function planRules(ctx: Context, options: RulePlanOptions): Promise<ExitCode> {
  const api = await ctx.api();
  const rules = rulesOf(ctx, api);
  const exit = await planResourceFile(ctx, ruleFiles(ctx, api, rules), { ...options, protect: [] });
  const reason = await rules.readOnlyReason();
  if (reason !== undefined) ctx.out.warn(`${reason}; rule apply will reject this plan`);
  return exit;
}
