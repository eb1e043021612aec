import { budgetState } from '../../features/fleet/index.ts';
import type { Context } from '../../runtime/context.ts';
import { sessionName } from './session-name.ts';
import { budgetRows } from './fleet.rows.ts';

/** `fleet budget`. */
export async function budget(ctx: Context): Promise<void> {
  const budgets = await budgetState(await ctx.store());
  const rows = budgets.map((one) => ({
    session: sessionName(one),
    group: one.group,
    limit: one.limit,
    remaining: one.remaining,
    resetsInSeconds: one.resetsInSeconds,
    waitSeconds: one.waitSeconds,
  }));
  await ctx.out.list(rows, budgetRows.list);
}
