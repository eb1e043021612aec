import type { Context } from '../../runtime/context.ts';
import { readRules, type RuleListOptions } from './read-rules.ts';
import { ruleRows } from './rule.rows.ts';

/** `rule list`: streams the answering rules. */
export async function listRules(ctx: Context, options: RuleListOptions): Promise<void> {
  await ctx.out.list(readRules(ctx, await ctx.api(), options), ruleRows.list);
}
