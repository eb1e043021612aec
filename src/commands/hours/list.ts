import type { Context } from '../../runtime/context.ts';
import { hoursRows } from './hours.rows.ts';
import { readHours, type OwnerOptions } from './owners.ts';

/** `hours list`: streams the business hours. */
export async function listHours(ctx: Context, options: OwnerOptions): Promise<void> {
  await ctx.out.list(readHours(ctx, options), hoursRows.list);
}
