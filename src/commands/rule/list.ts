import { knownExtensions } from '../../features/known-values/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { View } from '../../runtime/output.ts';
import { withNumber } from '../../runtime/with-number.ts';
import { readRules, type RuleListOptions } from './read-rules.ts';
import { ruleRows, type RuleRow } from './rule.rows.ts';

/** `rule list`: streams the answering rules. A table shows the names of extensions that earlier lists cached. */
export async function listRules(ctx: Context, options: RuleListOptions): Promise<void> {
  await ctx.out.list(readRules(ctx, await ctx.api(), options), withNames(ctx));
}

function withNames(ctx: Context): View<RuleRow> {
  const known = new Map(
    knownExtensions(ctx).map(({ id, name, extensionNumber }) => [id, withNumber(name, extensionNumber)]),
  );
  const { columns, ...view } = ruleRows.list;
  return {
    ...view,
    columns: columns.map((column) =>
      column.key === 'extension'
        ? Object.assign({}, column, {
            shown: (row: RuleRow) => known.get(row.extension) ?? row.extension,
          })
        : column,
    ),
  };
}
