import { exportItems } from '../../features/resource-plan/index.ts';
import type { Context } from '../../runtime/context.ts';
import { readRules, type RuleListOptions } from './read-rules.ts';
import { ruleRows, type RuleRow } from './rule.rows.ts';

/** `rule export`: writes answering rules as a file for `rule plan` and `rule apply`. */
export async function exportRules(ctx: Context, options: RuleListOptions): Promise<void> {
  const rules: RuleRow[] = [];
  const api = await ctx.api();
  await ctx.out.progress('Reading answering rules', async (update) => {
    for await (const rule of readRules(ctx, api, options)) {
      rules.push(rule);
      update(String(rules.length));
    }
  });
  await exportItems(ctx, 'rules', rules, ruleRows.list);
}
